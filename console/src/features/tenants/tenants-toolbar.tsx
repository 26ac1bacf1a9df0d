import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useListTenantStatusesQuery } from '../../api/tenants.ts';
import { IconButton } from '../../components/button.tsx';
import { FilterField } from '../../components/filter-field.tsx';
import { ChipSelect } from './chip-select.tsx';
import type { TenantsView } from './tenants-view.ts';

interface TenantsToolbarProps {
  view: TenantsView;
  onChange: (change: { q?: string; status?: string; active?: string }) => void;
  /** Hides and shows columns. */
  columnChooser: ReactNode;
  /** Absent while there is nothing to save. */
  onExport?: () => void;
}

/** Filters and tools above the tenants list. */
export function TenantsToolbar({ view, onChange, columnChooser, onExport }: TenantsToolbarProps) {
  const { t } = useTranslation();
  const { data: statuses = [] } = useListTenantStatusesQuery();
  return (
    <>
      <FilterField label={t('tenants.filter.text')} value={view.text} onChange={(q) => onChange({ q })} />
      <ChipSelect
        label={t('tenants.filter.status')}
        value={view.status}
        options={statuses.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(status) => onChange({ status })}
      />
      <ChipSelect
        label={t('tenants.filter.active')}
        value={view.active}
        options={[
          { value: 'active', label: t('tenants.active') },
          { value: 'inactive', label: t('tenants.inactive') },
        ]}
        onChange={(active) => onChange({ active })}
      />
      <div className="data-table-tools-end">
        {columnChooser}
        <IconButton icon={Download} label={t('tenants.download')} disabled={!onExport} onClick={() => onExport?.()} />
      </div>
    </>
  );
}
