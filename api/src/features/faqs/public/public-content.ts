/** An FAQ as the index has it. */
export interface PublicFaq {
  id: string;
  code: string;
  name: string;
  overview: string;
}

export interface PublicQuestion {
  id: string;
  question: string;
  answer: string;
  /** The answer without its markup. */
  text: string;
  createdOnUtc: string;
  updatedOnUtc: string;
}

interface PublicSection {
  id: string;
  name: string;
  overview: string;
  questions: PublicQuestion[];
}

/** An FAQ with all that readers see of it, in its order. */
export interface PublicContent extends PublicFaq {
  sections: PublicSection[];
}
