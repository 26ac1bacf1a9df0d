import type { Actor } from '../actor.ts';
import type { FoundRow } from '../batches/batch-subject.ts';
import type { Context } from '../context.ts';

/** What is asked of all records. */
export interface Asked {
  action: string;
}

/** A selected record. */
interface Selected {
  /** What people call it. */
  record: string;
  /** What the action would do with it. @throws AppError where it is refused */
  plan(): Promise<FoundRow> | FoundRow;
}

/** What a feature says of what is done with many of its records at once. */
export interface BulkSubject<Of extends Asked> {
  name: 'tenants' | 'databases' | 'permissions' | 'users';
  /** One of them, as in 'tenant'; the plural ends in s. */
  noun: string;
  /** What each action has done, as in '12 tenants deactivated'. */
  done: Record<Of['action'], string>;
  /** The heading of what an action changes, by its field. */
  columns?: readonly { field: string; heading: string }[];
  /** Looks at what is asked of all records, before it is planned. @throws AppError where it is refused */
  refuse?(context: Context, asked: Of): void;
  /** How many records an action may change at once; absent: one after the other. @param signal ends it early */
  atOnce?(context: Context, asked: Of, signal: AbortSignal): Promise<number>;
  /** Reads what there is, once. @returns finds a record by its id */
  openRecords(context: Context, actor: Actor, asked: Of): Promise<(id: string) => Selected | undefined>;
}

/** What changes of one field, from what is shown to what would be. */
export const changeOf = (heading: string, from: string, to: string): Pick<FoundRow, 'outcome' | 'changes'> =>
  from === to ? { outcome: 'same', changes: [] } : { outcome: 'change', changes: [{ heading, from, to }] };
