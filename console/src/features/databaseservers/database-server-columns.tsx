import type { DatabaseServer } from '@apotheca/contract/databaseservers';
import type { TFunction } from 'i18next';
import type { Column } from '../../components/data-table/data-table.tsx';
import { RowName } from '../../components/data-table/row-name.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { Moment } from '../../components/display/moment.tsx';
import { zonedMinute } from '../../lib/moment.ts';
import { formatCount, formatTenths } from '../../lib/numbers.ts';

const addressOf = ({ host, port }: DatabaseServer): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const place = (t: TFunction, onOpen: (server: DatabaseServer) => void): Column<DatabaseServer>[] => [
  {
    id: 'name',
    header: t('databaseServers.columns.name'),
    width: 180,
    pinned: true,
    cell: (server) => <RowName opens={() => onOpen(server)}>{server.name}</RowName>,
    text: ({ name }) => name,
  },
  {
    id: 'address',
    header: t('databaseServers.columns.address'),
    width: 210,
    cell: (server) => <span className="code">{addressOf(server)}</span>,
    text: addressOf,
  },
  {
    id: 'region',
    header: t('databaseServers.columns.region'),
    width: 110,
    below: 'address',
    filterBy: ({ region }) => region,
    cell: ({ region }) => region,
    text: ({ region }) => region,
  },
];

const load = (t: TFunction): Column<DatabaseServer>[] => {
  const fillText = ({ tenants, capacity }: DatabaseServer) =>
    capacity === null
      ? t('databaseServers.fillWithoutEnd', { tenants: formatCount(tenants) })
      : t('databaseServers.fill', { tenants: formatCount(tenants), capacity: formatCount(capacity) });
  const sessionsText = ({ sessions, maxSessions }: DatabaseServer) =>
    sessions === null || maxSessions === null
      ? ''
      : t('databaseServers.sessions', { sessions: formatCount(sessions), maxSessions: formatCount(maxSessions) });
  const lagText = ({ standbys, lagSeconds }: DatabaseServer) => {
    if (standbys === null) return '';
    if (standbys === 0) return t('databaseServers.noStandby');
    return lagSeconds === null
      ? t('databaseServers.noLag')
      : t('databaseServers.lag', { seconds: formatTenths(lagSeconds) });
  };
  return [
    {
      id: 'fill',
      header: t('databaseServers.columns.fill'),
      width: 150,
      onCard: true,
      cell: (server) => <span className="num">{fillText(server)}</span>,
      text: fillText,
    },
    {
      id: 'sessions',
      header: t('databaseServers.columns.sessions'),
      width: 120,
      cell: (server) => <span className="num">{sessionsText(server)}</span>,
      text: sessionsText,
    },
    {
      id: 'lag',
      header: t('databaseServers.columns.lag'),
      width: 130,
      below: 'sessions',
      cell: (server) => <span className="num text-muted">{lagText(server)}</span>,
      text: lagText,
    },
  ];
};

/** How it stands with a server: what a person has to look at comes first. A retired one may be switched off. */
function stateOf({ isAway, state }: DatabaseServer) {
  if (isAway && state !== 'retired') return { text: 'away', tone: 'danger' } as const;
  if (state !== 'active') return { text: state, tone: state === 'draining' ? 'warning' : 'muted' } as const;
  return isAway === null
    ? ({ text: 'unknown', tone: 'muted' } as const)
    : ({ text: 'active', tone: 'success' } as const);
}

const health = (t: TFunction): Column<DatabaseServer>[] => {
  const stateText = (server: DatabaseServer) => t(`databaseServers.states.${stateOf(server).text}`);
  const checkedText = ({ checkedOnUtc: at }: DatabaseServer) =>
    at === null ? t('databaseServers.never') : zonedMinute(new Date(at));
  return [
    {
      id: 'state',
      header: t('databaseServers.columns.state'),
      width: 165,
      onCard: true,
      filterBy: (server) => stateOf(server).text,
      cell: (server) => <Badge tone={stateOf(server).tone}>{stateText(server)}</Badge>,
      text: stateText,
    },
    {
      id: 'checked',
      header: t('databaseServers.columns.checked'),
      width: 165,
      below: 'state',
      onCard: true,
      cell: (server) =>
        server.checkedOnUtc === null ? (
          <span className="text-muted">{checkedText(server)}</span>
        ) : (
          <Moment moment={server.checkedOnUtc} />
        ),
      text: checkedText,
    },
  ];
};

/** The columns of the list of database servers. */
export const databaseServerColumns = (
  t: TFunction,
  onOpen: (server: DatabaseServer) => void,
): Column<DatabaseServer>[] => [...place(t, onOpen), ...load(t), ...health(t)];
