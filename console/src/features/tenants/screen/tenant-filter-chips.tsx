import { useTranslation } from 'react-i18next';
import { useListTenantStatusesQuery } from '../../../api/tenants.ts';
import { ChipSelect } from '../../../components/field/chip-select.tsx';
import type { TenantFilters } from './tenant-search.ts';

interface TenantFilterChipsProps {
  filters: TenantFilters;
  onChange: (change: { status?: string; active?: string; expires?: string }) => void;
}

/** The filters above the tenants list, in addition to the text. */
export function TenantFilterChips({ filters, onChange }: TenantFilterChipsProps) {
  const { t } = useTranslation();
  const { data: statuses = [] } = useListTenantStatusesQuery();
  return (
    <>
      <ChipSelect
        label={t('tenants.filter.status')}
        value={filters.status}
        options={statuses.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(status) => onChange({ status })}
      />
      <ChipSelect
        label={t('tenants.filter.active')}
        value={filters.active}
        options={[
          { value: 'active', label: t('tenants.active') },
          { value: 'inactive', label: t('tenants.inactive') },
        ]}
        onChange={(active) => onChange({ active })}
      />
      <ChipSelect
        label={t('tenants.filter.expires')}
        value={filters.expires}
        options={[{ value: '30', label: t('tenants.filter.in30Days') }]}
        onChange={(expires) => onChange({ expires })}
      />
    </>
  );
}
