import type { FaqQuestion } from '@apotheca/contract/faq-questions';
import type { FaqSection } from '@apotheca/contract/faq-sections';
import type { Faq } from '@apotheca/contract/faqs';
import type { TFunction } from 'i18next';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { flagColumn } from '../../../components/data-table/flag-column.tsx';
import { RowName } from '../../../components/data-table/row-name.tsx';

type State = Pick<Faq, 'isActive' | 'published'>;

const state = <Row extends State>(t: TFunction): Column<Row>[] => [
  flagColumn({
    id: 'isActive',
    header: t('faqs.columns.isActive'),
    width: 110,
    onCard: true,
    values: ['active', 'inactive'],
    isOn: ({ isActive }) => isActive,
    onText: t('faqs.active'),
    offText: t('faqs.inactive'),
  }),
  flagColumn({
    id: 'published',
    header: t('faqs.columns.published'),
    width: 110,
    onCard: true,
    values: ['yes', 'no'],
    isOn: ({ published }) => published,
    onText: t('faqs.yes'),
    offText: t('faqs.no'),
  }),
];

const place = <Row extends { sortOrder: number }>(t: TFunction): Column<Row> => ({
  id: 'sortOrder',
  header: t('faqs.columns.sortOrder'),
  width: 100,
  align: 'end',
  cell: ({ sortOrder }) => <span className="num">{sortOrder}</span>,
  text: ({ sortOrder }) => String(sortOrder),
});

interface NamesOptions<Row> {
  nameHeader: string;
  codeHeader: string;
  /** The address to which a row's name leads. */
  linkTo: (row: Row) => string;
}

const names = <Row extends { name: string; code: string }>(options: NamesOptions<Row>): Column<Row>[] => [
  {
    id: 'name',
    header: options.nameHeader,
    width: 320,
    pinned: true,
    cell: (row) => (
      <bdi>
        <RowName opens={options.linkTo(row)}>{row.name}</RowName>
      </bdi>
    ),
    text: ({ name }) => name,
  },
  {
    id: 'code',
    header: options.codeHeader,
    width: 180,
    below: 'name',
    onCard: true,
    cell: ({ code }) => <span className="code">{code}</span>,
    text: ({ code }) => code,
  },
];

/** The columns of the FAQ list, in the order of SPEC §2.16. */
export const faqColumns = (t: TFunction, linkTo: (faq: Faq) => string): Column<Faq>[] => [
  ...names({ nameHeader: t('faqs.columns.faqName'), codeHeader: t('faqs.columns.faqCode'), linkTo }),
  ...state<Faq>(t),
];

/** The columns of a list of sections, in the order of SPEC §2.17. */
export const sectionColumns = (t: TFunction, linkTo: (section: FaqSection) => string): Column<FaqSection>[] => [
  ...names({ nameHeader: t('faqs.columns.sectionName'), codeHeader: t('faqs.columns.sectionCode'), linkTo }),
  place(t),
  ...state<FaqSection>(t),
];

/** What readers of public pages said of an answer. */
const helpfulness = (t: TFunction): Column<FaqQuestion> => {
  const text = ({ helpful, unhelpful }: FaqQuestion) =>
    helpful + unhelpful === 0 ? '' : t('faqs.public.votes', { helpful, total: helpful + unhelpful });
  return {
    id: 'helpful',
    header: t('faqs.columns.helpful'),
    width: 110,
    align: 'end',
    cell: (row) => <span className="num">{text(row)}</span>,
    text,
  };
};

/** The columns of a list of questions, in the order of SPEC §2.18. */
export const questionColumns = (
  t: TFunction,
  isPublic: boolean,
  onOpen: (question: FaqQuestion) => void,
): Column<FaqQuestion>[] => [
  {
    id: 'question',
    header: t('faqs.columns.question'),
    width: 350,
    pinned: true,
    cell: (question) => (
      <bdi>
        <RowName opens={() => onOpen(question)}>{question.question}</RowName>
      </bdi>
    ),
    text: ({ question }) => question,
  },
  place(t),
  ...state<FaqQuestion>(t),
  ...(isPublic ? [helpfulness(t)] : []),
];
