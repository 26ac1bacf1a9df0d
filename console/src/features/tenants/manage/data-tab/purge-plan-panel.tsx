import type { PurgePlan } from '@apotheca/contract/purges';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../../components/display/moment.tsx';
import { Notice } from '../../../../components/notice/notice.tsx';
import { messageText } from '../../../../locales/messages.ts';
import { LoadFailed } from '../../../../operations/load-failed.tsx';
import { LoadingText } from '../../../../operations/loading-text.tsx';
import type { PurgePlanQuery } from './use-purge-plan.ts';

/** The plan of purging the ticked tables. */
export function PurgePlanPanel({ planQuery }: { planQuery: PurgePlanQuery }) {
  const { t } = useTranslation();
  const { plan, isStale, error, refetch } = planQuery;
  return (
    <section className="manage-card" aria-label={t('tenants.manage.purge.plan')} aria-busy={isStale}>
      <h3>{t('tenants.manage.purge.plan')}</h3>
      {error && <LoadFailed error={error} busy={isStale} onRetry={refetch} />}
      {!error && plan && <PlanText plan={plan} />}
      {!error && !plan && isStale && <LoadingText>{t('tenants.manage.purge.loadingPlan')}</LoadingText>}
      {!error && !plan && !isStale && <p className="text-muted">{t('tenants.manage.purge.tickFirst')}</p>}
    </section>
  );
}

function PlanText({ plan }: { plan: PurgePlan }) {
  const { t } = useTranslation();
  const { tables, rows, tablesNotDeleted, invalidTables, newestBackupOnUtc } = plan;
  return (
    <>
      <p className="text-muted">
        {tables.length === 0
          ? t('tenants.manage.purge.nothing')
          : t('tenants.manage.purge.summary', {
              count: tables.length,
              rows: t('tenants.manage.rows', { count: rows }),
            })}
      </p>
      {tablesNotDeleted.length > 0 && (
        <Notice tone="danger">
          <ul className="reason-list">
            {tablesNotDeleted.map(({ name, reason }) => (
              <li key={name}>{messageText(reason)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {invalidTables.length > 0 && (
        <Notice tone="warning">{t('tenants.manage.purge.invalid', { tables: invalidTables.join(', ') })}</Notice>
      )}
      {newestBackupOnUtc === null ? (
        <Notice tone="warning">{t('tenants.manage.purge.noBackup')}</Notice>
      ) : (
        <Notice tone="info">
          {t('tenants.manage.purge.newestBackup')} <Moment moment={newestBackupOnUtc} />
        </Notice>
      )}
    </>
  );
}
