import {
  credentialRoutes,
  type DatabaseLogin,
  LOGIN_ACCESS,
  type LoginAccess,
  type TenantConnection,
} from '@apotheca/contract/credentials';
import type { Tenant } from '@apotheca/contract/tenants';
import { Eye, RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useGetTenantConnectionQuery } from '../../../../api/credentials.ts';
import { Button } from '../../../../components/button/button.tsx';
import { Moment } from '../../../../components/display/moment.tsx';
import { CopyButton } from '../../../../components/toast/copy-button.tsx';
import { LoadFailed } from '../../../../operations/load-failed.tsx';
import { LoadingText } from '../../../../operations/loading-text.tsx';
import { useRefusal } from '../../../../rights/rights.tsx';
import { unlessForbidden } from '../../../../transport/api-error.ts';
import { AccessCard } from './access-card.tsx';
import { LimitsForm } from './limits-form.tsx';
import type { ConnectionTabState } from './use-connection-tab.ts';

interface ConnectionTabProps {
  tenant: Tenant;
  state: ConnectionTabState;
  /** Is told whether there are limits that are not saved. */
  onDirty?: (isDirty: boolean) => void;
}

/** How programs reach the tenant's database: where, as which logins, with which limits. */
export function ConnectionTab({ tenant, state, onDirty }: ConnectionTabProps) {
  const { t } = useTranslation();
  const query = useGetTenantConnectionQuery({ id: tenant.id }, { refetchOnMountOrArgChange: true });
  const data = unlessForbidden(query.data, query.error);
  return (
    <div className="manage-stack">
      <AccessCard tenant={tenant} />
      <p>{t('tenants.manage.connection.what')}</p>
      {query.isError && <LoadFailed error={query.error} busy={query.isFetching} onRetry={query.refetch} />}
      {query.isFetching && !data && <LoadingText>{t('tenants.manage.connection.loading')}</LoadingText>}
      {data && (
        <>
          <Place connection={data} />
          {LOGIN_ACCESS.map((access) => (
            <Logins
              key={access}
              {...{ access, state }}
              logins={data.logins.filter((login) => login.access === access)}
            />
          ))}
          <section className="manage-card">
            <h3>{t('tenants.manage.connection.limits.title')}</h3>
            <LimitsForm connection={data} onDirty={onDirty} />
          </section>
        </>
      )}
    </div>
  );
}

function Place({ connection: { host, port, database, sslmode } }: { connection: TenantConnection }) {
  const { t } = useTranslation();
  const facts = [
    ['server', `${host}:${port}`],
    ['database', database],
    ['sslmode', sslmode],
  ] as const;
  return (
    <dl className="manage-facts">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{t(`tenants.manage.connection.${name}`)}</dt>
          <dd className="manage-database">
            <span className="code">{text}</span>
            <CopyButton text={text} label={t(`tenants.manage.connection.copy.${name}`)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface LoginsProps {
  access: LoginAccess;
  /** Those of this access, the current one first. */
  logins: DatabaseLogin[];
  state: ConnectionTabState;
}

function Logins({ access, logins, state }: LoginsProps) {
  const { t } = useTranslation();
  const title = t(`tenants.manage.connection.access.${access}`);
  const refusal = useRefusal();
  // Its answer opens a dialog, which would take the place of another one.
  const isRevealing = state.revealing !== undefined;
  const current = logins.find(({ validUntilUtc }) => validUntilUtc === null);
  return (
    <section className="manage-card" aria-label={title}>
      <div className="manage-head">
        <h3>{title}</h3>
        <div className="manage-buttons">
          <Button
            variant="secondary"
            icon={Eye}
            aria-label={`${t('tenants.manage.connection.reveal')}: ${title}`}
            loading={state.revealing === access}
            disabled={isRevealing && state.revealing !== access}
            refusal={refusal(credentialRoutes.reveal)}
            onClick={() => state.reveal(access)}
          >
            {t('tenants.manage.connection.reveal')}
          </Button>
          {current && (
            <Button
              variant="secondary"
              icon={RotateCw}
              aria-label={`${t('tenants.manage.connection.rotate')}: ${title}`}
              disabled={isRevealing}
              refusal={refusal(credentialRoutes.rotate)}
              onClick={() => state.rotate(current)}
            >
              {t('tenants.manage.connection.rotate')}
            </Button>
          )}
        </div>
      </div>
      {logins.length === 0 ? (
        <p className="text-muted">{t('tenants.manage.connection.none')}</p>
      ) : (
        <ul className="login-list">
          {logins.map((login) => (
            <LoginItem key={login.id} login={login} />
          ))}
        </ul>
      )}
    </section>
  );
}

function LoginItem({ login: { role, sessions, validUntilUtc } }: { login: DatabaseLogin }) {
  const { t } = useTranslation();
  return (
    <li>
      <span className="code">{role}</span>
      <span className="num">{t('tenants.manage.connection.sessions', { count: sessions })}</span>
      <span className="text-muted">
        {validUntilUtc === null ? (
          t('tenants.manage.connection.current')
        ) : (
          <>
            {t('tenants.manage.connection.ends')} <Moment moment={validUntilUtc} />
          </>
        )}
      </span>
    </li>
  );
}
