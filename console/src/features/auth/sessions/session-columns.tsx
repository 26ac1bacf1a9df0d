import type { OpenSession } from '@apotheca/contract/auth';
import type { TFunction } from 'i18next';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { zonedMinute } from '../../../lib/moment.ts';
import { messageText } from '../../../locales/messages.ts';

/** The columns of a list of sessions. @param hasEnded whether one is not open any more, and only shown */
export const sessionColumns = (t: TFunction, hasEnded: (session: OpenSession) => boolean): Column<OpenSession>[] => [
  {
    id: 'device',
    header: t('sessions.columns.device'),
    width: 344,
    pinned: true,
    cell: (session) => (
      <div className="session-device">
        <div>{whatOf(session)}</div>
        <div className="session-whence">
          <span>{originOf(t, session)}</span>
          {session.isCurrent && <Badge tone="info">{t('sessions.current')}</Badge>}
          {hasEnded(session) && (
            <Badge tone="muted">{t(session.kind === 'api' ? 'sessions.tokenGone' : 'sessions.gone')}</Badge>
          )}
        </div>
      </div>
    ),
    text: (session) => `${whatOf(session)}, ${originOf(t, session)}`,
  },
  momentColumn('signedIn', t('sessions.columns.signedIn'), ({ createdOnUtc }) => createdOnUtc),
  momentColumn('lastUsed', t('sessions.columns.lastUsed'), ({ lastUsedOnUtc }) => lastUsedOnUtc),
  momentColumn('expires', t('sessions.columns.expires'), ({ expiresOnUtc }) => expiresOnUtc),
];

/** The name of an API token, or the device of a sign-in. */
export const whatOf = ({ name, device }: OpenSession): string => name || messageText(device);

/** '198.51.100.7', 'With Clinic · 198.51.100.7' or 'API token · curl/8.5.0 · 198.51.100.7' */
function originOf(t: TFunction, { kind, provider, device, address }: OpenSession): string {
  if (kind === 'api') return [t('sessions.apiToken'), messageText(device), address].join(' · ');
  return provider ? `${t('sessions.byProvider', { provider })} · ${address}` : address;
}

function momentColumn(id: string, header: string, momentOf: (session: OpenSession) => string): Column<OpenSession> {
  return {
    id,
    header,
    width: 156,
    cell: (session) => <Moment moment={momentOf(session)} />,
    text: (session) => zonedMinute(new Date(momentOf(session))),
  };
}
