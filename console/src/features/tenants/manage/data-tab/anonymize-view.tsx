import type { AnonymizationPlan, AnonymizationReport } from '@apotheca/contract/anonymization';
import { useTranslation } from 'react-i18next';
import { usePreviewAnonymizationQuery } from '../../../../api/tenant-data.ts';
import { ScrollList } from '../../../../components/display/scroll-list.tsx';
import { LoadFailed } from '../../../../operations/load-failed.tsx';
import { LoadingText } from '../../../../operations/loading-text.tsx';
import { PlanFigures } from '../../../../operations/plan-figures.tsx';
import { RunningOperation } from '../../../../operations/running-operation.tsx';
import { AnonymizationOutcome } from './anonymization-outcome.tsx';

interface AnonymizeViewProps {
  databaseName: string;
  /** The report of the last anonymization, if there was one. */
  report: AnonymizationReport | undefined;
}

/** What anonymizing is, its plan, and the report of the last one (DECISIONS §9). */
export function AnonymizeView({ databaseName, report }: AnonymizeViewProps) {
  const { t } = useTranslation();
  const planQuery = usePreviewAnonymizationQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  return (
    <>
      {report && <AnonymizationOutcome report={report} />}
      <div className="manage-columns">
        <section className="manage-card" aria-label={t('tenants.manage.purge.plan')} aria-busy={planQuery.isFetching}>
          <h3>{t('tenants.manage.purge.plan')}</h3>
          {planQuery.isError && (
            <LoadFailed error={planQuery.error} busy={planQuery.isFetching} onRetry={planQuery.refetch} />
          )}
          {planQuery.isLoading && <LoadingText>{t('tenants.manage.anonymize.loadingPlan')}</LoadingText>}
          {planQuery.data && !planQuery.isError && (
            <Plan message={planQuery.data.message} plan={planQuery.data.result} />
          )}
        </section>
        <div className="manage-stack manage-aside">
          <section className="manage-card">
            <h3>{t('tenants.manage.anonymize.title')}</h3>
            <p className="text-muted">{t('tenants.manage.anonymize.what')}</p>
            <p className="text-muted">{t('tenants.manage.anonymize.final')}</p>
          </section>
          <RunningOperation databaseName={databaseName} />
        </div>
      </div>
    </>
  );
}

function Plan({ message, plan }: { message: string; plan: AnonymizationPlan }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{message}</p>
      <PlanFigures plan={plan} />
      <ScrollList label={t('tenants.manage.anonymize.kinds')} items={countKinds(plan.columns)} />
    </>
  );
}

/** The number of columns of each kind of identifier, the most frequent first. */
function countKinds(columns: AnonymizationPlan['columns']) {
  const counts = new Map<string, number>();
  for (const { kind } of columns) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => ({ id: kind, text: kind, count }))
    .sort((one, other) => other.count - one.count || one.id.localeCompare(other.id));
}
