import { labelOfTable, TENANT_TABLE_NAMES, type TenantTableName } from '@apotheca/contract/tenant-tables';
import { useTranslation } from 'react-i18next';
import { ChecklistHead } from './checklist-head.tsx';
import { TABLE_GROUPS } from './table-names.ts';
import { TickAll } from './tick-all.tsx';
import { TickRow } from './tick-row.tsx';
import type { Ticks } from './use-ticks.ts';

interface TableChecklistProps {
  ticks: Ticks<TenantTableName>;
  /** Rows of the tables, by name; empty until they are loaded. */
  rows: ReadonlyMap<string, number>;
}

/** The tables that can be purged, in the groups of SPEC §3. */
export function TableChecklist({ ticks, rows }: TableChecklistProps) {
  const { t } = useTranslation();
  return (
    <section className="manage-card" aria-label={t('tenants.manage.purge.tables')}>
      <ChecklistHead names={TENANT_TABLE_NAMES} ticks={ticks} />
      <div className="checklist">
        {TABLE_GROUPS.map(({ group, tables }) => (
          <fieldset key={group}>
            <legend>
              <TickAll label={group} names={tables.map(({ name }) => name)} ticks={ticks} />
            </legend>
            <ul>
              {tables.map(({ name }) => (
                <TickRow key={name} name={name} label={labelOfTable(name)} rows={rows.get(name)} ticks={ticks} />
              ))}
            </ul>
          </fieldset>
        ))}
      </div>
    </section>
  );
}
