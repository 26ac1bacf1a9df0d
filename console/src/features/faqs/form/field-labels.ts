const STATE = {
  isActive: 'isActive',
  published: 'published',
  publishAtUtc: 'publishAt',
  publishUntilUtc: 'publishUntil',
} as const;

/** The labels of each kind's fields, by their names in the contract. */
export const FIELD_LABELS = {
  faq: { name: 'faqName', code: 'faqCode', overview: 'overview', module: 'module', sortOrder: 'sortOrder', ...STATE },
  section: {
    faqId: 'faq',
    name: 'sectionName',
    code: 'sectionCode',
    overview: 'overview',
    icon: 'icon',
    sortOrder: 'sortOrder',
    ...STATE,
  },
  question: {
    faqId: 'faq',
    sectionId: 'section',
    question: 'question',
    answer: 'answer',
    sortOrder: 'sortOrder',
    ...STATE,
  },
} as const;
