import { API_KEY_WARNING_DAYS, type ApiKey } from '@apotheca/contract/api-keys';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import type { TFunction } from 'i18next';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { localMinute } from '../../../lib/moment.ts';

const DAY = 24 * 3600 * 1000;

const minuteOf = (moment: string) => localMinute(new Date(moment));

/** The columns of a list of API keys. */
export const apiKeyColumns = (t: TFunction): Column<ApiKey>[] => [
  {
    id: 'name',
    header: t('apiKeys.columns.name'),
    width: 180,
    pinned: true,
    cell: ({ name, prefix }) => (
      <div className="session-device">
        <div>{name}</div>
        <div className="session-whence">
          <span className="code">{prefix}…</span>
        </div>
      </div>
    ),
    text: ({ name, prefix }) => `${name}, ${prefix}…`,
  },
  {
    id: 'scopes',
    header: t('apiKeys.columns.scopes'),
    width: 115,
    onCard: true,
    cell: ({ scopes }) => t('apiKeys.scopeCount', { count: scopes.length }),
    text: ({ scopes }) => scopes.map(nameOfScope).join(', '),
  },
  {
    id: 'addresses',
    header: t('apiKeys.columns.addresses'),
    width: 120,
    cell: (key) => <span className="text-muted">{addressesOf(t, key)}</span>,
    text: (key) => addressesOf(t, key),
  },
  {
    id: 'lastUsed',
    header: t('apiKeys.columns.lastUsed'),
    width: 155,
    cell: ({ lastUsedOnUtc, lastUsedAddress }) =>
      lastUsedOnUtc === null ? (
        <span className="text-muted">{t('apiKeys.neverUsed')}</span>
      ) : (
        <div className="session-device">
          <Moment moment={lastUsedOnUtc} />
          <div className="session-whence">
            <span>{lastUsedAddress}</span>
          </div>
        </div>
      ),
    text: ({ lastUsedOnUtc, lastUsedAddress }) =>
      lastUsedOnUtc === null ? t('apiKeys.neverUsed') : `${minuteOf(lastUsedOnUtc)}, ${lastUsedAddress}`,
  },
  {
    id: 'expires',
    header: t('apiKeys.columns.expires'),
    width: 205,
    onCard: true,
    cell: (key) => (
      <div className="session-device">
        <Moment moment={key.expiresOnUtc} />
        <KeyState t={t} apiKey={key} />
      </div>
    ),
    text: (key) => [minuteOf(key.expiresOnUtc), ...stateTexts(t, key)].join(', '),
  },
];

/** 'View tenants', or the identifier of a permission that there is no more. */
const nameOfScope = (scope: string): string =>
  PERMISSION_CATALOGUE.find(({ identifier }) => identifier === scope)?.name ?? scope;

const addressesOf = (t: TFunction, { addresses }: ApiKey): string =>
  addresses.length === 0 ? t('apiKeys.anywhere') : addresses.join(', ');

/** The days that a key has left, rounded up; undefined while there are many. */
function daysLeft({ expiresOnUtc, isExpired }: ApiKey): number | undefined {
  const days = Math.ceil((Date.parse(expiresOnUtc) - Date.now()) / DAY);
  return isExpired || days > API_KEY_WARNING_DAYS ? undefined : days;
}

function stateTexts(t: TFunction, apiKey: ApiKey): string[] {
  const days = daysLeft(apiKey);
  const texts = apiKey.isExpired ? [t('apiKeys.expired')] : [];
  if (days !== undefined) texts.push(t('apiKeys.expiresIn', { count: days }));
  if (apiKey.previousUntilUtc) texts.push(t('apiKeys.previousUntil', { moment: minuteOf(apiKey.previousUntilUtc) }));
  return texts;
}

/** That a key is expired or soon will be, and until when the secret before counts. */
function KeyState({ t, apiKey }: { t: TFunction; apiKey: ApiKey }) {
  const days = daysLeft(apiKey);
  const { isExpired, previousUntilUtc } = apiKey;
  return (
    <>
      {isExpired && <Badge tone="danger">{t('apiKeys.expired')}</Badge>}
      {days !== undefined && <Badge tone="warning">{t('apiKeys.expiresIn', { count: days })}</Badge>}
      {previousUntilUtc !== null && (
        <div className="session-whence">{t('apiKeys.previousUntil', { moment: minuteOf(previousUntilUtc) })}</div>
      )}
    </>
  );
}
