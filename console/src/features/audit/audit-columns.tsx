import type { AuditTrailEntry } from '@apotheca/contract/audit';
import type { TFunction } from 'i18next';
import { Link } from 'react-router';
import type { Column } from '../../components/data-table/data-table.tsx';
import { RowName } from '../../components/data-table/row-name.tsx';
import { Moment } from '../../components/display/moment.tsx';
import { OutcomeBadge } from '../../history/outcome-badge.tsx';
import { zonedMinute } from '../../lib/moment.ts';

/** The address of the screen that shows an entry's record; undefined where none does. */
export type RecordLink = (entry: AuditTrailEntry) => string | undefined;

/** The columns of the audit trail. */
export const auditColumns = (
  t: TFunction,
  recordLink: RecordLink,
  onOpen: (entry: AuditTrailEntry) => void,
): Column<AuditTrailEntry>[] => [
  {
    id: 'when',
    header: t('audit.columns.when'),
    width: 160,
    pinned: true,
    cell: (entry) => (
      <RowName opens={() => onOpen(entry)}>
        <Moment moment={entry.onUtc} />
      </RowName>
    ),
    text: ({ onUtc }) => zonedMinute(new Date(onUtc)),
  },
  { id: 'who', header: t('audit.columns.who'), width: 140, below: 'when', ...textCell(({ actorName }) => actorName) },
  { id: 'action', header: t('audit.columns.action'), width: 190, onCard: true, ...textCell(({ action }) => action) },
  {
    id: 'record',
    header: t('audit.columns.record'),
    width: 200,
    onCard: true,
    cell: (entry) => {
      const to = recordLink(entry);
      const text = recordText(entry);
      return to === undefined ? text : <Link to={to}>{text}</Link>;
    },
    text: recordText,
  },
  {
    id: 'result',
    header: t('audit.columns.result'),
    width: 136,
    onCard: 'whole',
    cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
    text: ({ outcome }) => t(`audit.outcomes.${outcome}`),
  },
  {
    id: 'address',
    header: t('audit.columns.address'),
    width: 140,
    below: 'result',
    ...textCell(({ address }) => address),
  },
  {
    id: 'changes',
    header: t('audit.columns.changes'),
    width: 220,
    ...textCell(({ changes }) => Object.keys(changes).join(', ')),
  },
];

const textCell = (text: (entry: AuditTrailEntry) => string) => ({ cell: text, text });

/** What people know a record by, where the entry says that, else the kind of record. */
export function recordText({ entity, changes }: AuditTrailEntry): string {
  const name = recordName(changes);
  return name === undefined ? entity : `${entity}: ${name}`;
}

/** The fields by which records are known, and of those that changed the newest value. */
const NAMES = ['code', 'userName', 'roleName', 'databaseName', 'name', 'question'] as const;

export function recordName(changes: AuditTrailEntry['changes']): string | undefined {
  for (const field of NAMES) {
    const change = changes[field];
    const value: unknown = Array.isArray(change) ? change.at(-1) : change;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
