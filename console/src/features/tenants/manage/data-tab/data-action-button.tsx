import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { purgeRoutes } from '@apotheca/contract/purges';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../components/button/button.tsx';
import { useRefusal } from '../../../../rights/rights.tsx';
import type { DataTabState } from './use-data-tab.ts';

/** Opens the confirmation of the data tab's kind of operation. */
export function DataActionButton({ data }: { data: DataTabState }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { kind, ticks, planQuery, open } = data;
  if (kind === 'anonymize') {
    return (
      <Button
        variant="danger"
        refusal={refusal(anonymizationRoutes.anonymize)}
        onClick={() => open({ kind: 'anonymize' })}
      >
        {t('tenants.manage.anonymize.proceed')}
      </Button>
    );
  }
  // A stale plan must not appear on the button.
  const plan = planQuery.isStale ? undefined : planQuery.plan;
  const count = plan?.tables.length ?? 0;
  // The panel next to it says why.
  const hasNothingToDo = planQuery.error !== undefined || plan?.tables.length === 0;
  return (
    <Button
      variant="danger"
      disabled={ticks.names.length === 0 || hasNothingToDo}
      refusal={refusal(purgeRoutes.purge)}
      onClick={() => open({ kind: 'purge', tables: ticks.names })}
    >
      {count === 0 ? t('tenants.manage.purge.proceed') : t('tenants.manage.purge.confirm', { count })}
    </Button>
  );
}
