import type { Hint } from '@apotheca/contract/hints';
import type { Language, List, ListLayout } from '@apotheca/contract/preferences';
import type { ViewList } from '@apotheca/contract/views';
import type { Generated, JSONColumnType } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** What people set for themselves or for each other. */
export interface PreferenceTables {
  listLayouts: ListLayouts;
  chosenLanguages: ChosenLanguages;
  dismissedHints: DismissedHints;
  savedViews: SavedViews;
  findingSnoozes: FindingSnoozes;
}

interface ListLayouts {
  userId: string;
  list: List;
  layout: JSONColumnType<ListLayout>;
  updatedAt: Timestamp;
}

interface ChosenLanguages {
  userId: string;
  language: Language;
  updatedAt: Timestamp;
}

interface DismissedHints {
  userId: string;
  hint: Hint;
  dismissedAt: Timestamp;
}

interface SavedViews {
  id: Generated<string>;
  list: ViewList;
  name: string;
  query: string;
  ownerId: string;
  roleId: string | null;
  createdAt: Timestamp;
}

/** A finding of the dashboard that is left out for a while. */
interface FindingSnoozes {
  kind: string;
  /** An id of whatever the kind is about. */
  recordId: string;
  /** The last day, YYYY-MM-DD in UTC. */
  until: string;
  reason: string;
  createdBy: string | null;
  createdAt: Timestamp;
}
