import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button.tsx';
import type { DataTabState } from './use-data-tab.ts';

/** Goes on to the confirmation of what the data tab is set to. */
export function DataActionButton({ data }: { data: DataTabState }) {
  const { t } = useTranslation();
  const { task, ticks, preview, open } = data;
  if (task === 'anonymize') {
    return (
      <Button variant="danger" onClick={() => open({ kind: 'anonymize' })}>
        {t('tenants.manage.anonymize.proceed')}
      </Button>
    );
  }
  // Tables that must stay are no promise of the button; until that is known, it speaks of all that are ticked.
  const count = preview.isStale || !preview.plan ? ticks.names.length : preview.plan.tables.length;
  return (
    <Button
      variant="danger"
      disabled={ticks.names.length === 0}
      onClick={() => open({ kind: 'purge', tables: ticks.names })}
    >
      {count === 0 ? t('tenants.manage.purge.proceed') : t('tenants.manage.purge.confirm', { count })}
    </Button>
  );
}
