import { FINDING_KINDS, type FindingKind, type FindingSubject, isKnownFinding } from '@apotheca/contract/findings';

interface AboutFinding {
  /** Absent: not known. */
  subject?: FindingSubject;
  tone: (typeof FINDING_KINDS)[FindingKind]['tone'];
  /** Of its texts. */
  key: FindingKind | 'other';
}

/** What a kind of finding is about. One that only a newer server knows is shown as well. */
export const aboutFinding = (kind: string): AboutFinding =>
  isKnownFinding(kind) ? { ...FINDING_KINDS[kind], key: kind } : { tone: 'info', key: 'other' };
