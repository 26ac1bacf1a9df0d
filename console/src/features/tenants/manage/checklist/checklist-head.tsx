import { useTranslation } from 'react-i18next';
import { TickAll } from './tick-all.tsx';
import type { Ticks } from './use-ticks.ts';

/** Ticks all tables of a checklist, and shows how many are ticked. */
export function ChecklistHead<Name extends string>({ names, ticks }: { names: readonly Name[]; ticks: Ticks<Name> }) {
  const { t } = useTranslation();
  return (
    <div className="checklist-head">
      <TickAll label={t('tenants.manage.purge.checkAll')} names={names} ticks={ticks} />
      <span className="num text-muted" role="status">
        {t('tenants.manage.purge.ticked', { count: ticks.names.length, total: names.length })}
      </span>
    </div>
  );
}
