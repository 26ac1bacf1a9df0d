import type { LucideIcon } from 'lucide-react';
import type { OpenedDialog } from '../navigation/opened-dialog.ts';
import type { TopBarPart } from '../navigation/top-bar.ts';

/** The kinds of records that the palette finds. */
export const RECORD_KINDS = ['tenants', 'users', 'databases', 'faqs'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The groups of entries, in the order in which they stand where nothing is typed. */
export type Group = 'screens' | 'actions' | 'views' | RecordKind;

export type ActionName = keyof typeof import('../../locales/en-pages.json')['palette']['actions'];

/** Where a choice leads. */
export interface Target {
  to: string;
  /** A dialog of that screen, which is opened. */
  dialog?: OpenedDialog;
}

/** What can be done without leaving the screen. */
export type Command = TopBarPart | 'keyboard' | 'settings' | 'theme' | 'signOut';

/** What choosing an entry does: it leads somewhere, does something, or asks which record is meant. */
export type Choice = Target | { command: Command } | { pick: RecordKind; action: ActionName };

/** One line of the palette. */
export interface Entry {
  /** No other entry has it. Under this it is kept as recent; only that of an action on a record has a `+`, between the two. */
  id: string;
  group: Group;
  title: string;
  /** Searched and shown as well; may be empty. */
  detail: string;
  icon: LucideIcon;
  /** Why the user may not choose it. */
  refusal?: string | undefined;
  /** @param action what is to be done with a record; absent: it is opened */
  choose: (action?: ActionName) => Choice;
}

/** An action on a record that is known already. */
export function onRecord(action: Entry, record: Entry): Entry {
  const choice = action.choose();
  return {
    ...action,
    id: `${action.id}+${record.id}`,
    detail: `${record.title} ${record.detail}`.trim(),
    choose: () => record.choose('pick' in choice ? choice.action : undefined),
  };
}
