import type { ParkedDatabase } from '@apotheca/contract/parked-databases';
import type { TFunction } from 'i18next';
import { kindText } from '../../../api/http/operation-title.ts';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { zonedMinute } from '../../../lib/moment.ts';
import { formatBytes } from '../../../lib/numbers.ts';

/** The columns of the list of parked databases. */
export const parkedColumns = (t: TFunction): Column<ParkedDatabase>[] => [
  {
    id: 'databaseName',
    header: t('databases.columns.databaseName'),
    width: 190,
    pinned: true,
    cell: ({ databaseName, operation }) => (
      <span className="database-name">
        <span className="code">{databaseName}</span>
        {operation !== null && <Badge tone="info">{t(`databases.doing.${kindText(operation.kind)}`)}</Badge>}
      </span>
    ),
    text: ({ databaseName }) => databaseName,
  },
  {
    id: 'reason',
    header: t('databases.parking.reason'),
    width: 230,
    onCard: true,
    cell: (parked) => reasonText(t, parked),
    text: (parked) => reasonText(t, parked),
  },
  {
    id: 'size',
    header: t('databases.columns.size'),
    width: 92,
    align: 'end',
    cell: ({ sizeBytes }) => <span className="num">{sizeBytes === null ? '' : formatBytes(sizeBytes)}</span>,
  },
  {
    id: 'parkedOn',
    header: t('databases.parking.parkedOn'),
    width: 156,
    cell: ({ parkedOnUtc }) => <Moment moment={parkedOnUtc} />,
    text: ({ parkedOnUtc }) => zonedMinute(new Date(parkedOnUtc)),
  },
  {
    id: 'keptUntil',
    header: t('databases.parking.keptUntil'),
    width: 156,
    onCard: true,
    cell: ({ keptUntilUtc }) => <Moment moment={keptUntilUtc} />,
    text: ({ keptUntilUtc }) => zonedMinute(new Date(keptUntilUtc)),
  },
];

/** 'Deleted with tenant CEDAR' */
const reasonText = (t: TFunction, { reason, tenantCode, goesBackTo }: ParkedDatabase): string => {
  const text = t(`databases.parking.reasons.${reason}`, { code: tenantCode ?? '' });
  // A server of the version before does not say it.
  return goesBackTo ? t('databases.parking.keptOn', { reason: text, server: goesBackTo }) : text;
};
