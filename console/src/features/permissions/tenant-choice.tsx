import type { Tenant } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import { TENANTS_AS_LISTED, useListTenantsQuery } from '../../api/tenants.ts';
import { Spinner } from '../../components/waiting/spinner.tsx';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { TenantPicker } from './tenant-picker.tsx';

/** Chooses the tenant to sync, once the tenants are loaded. */
export function TenantChoice({ onPick }: { onPick: (tenant: Tenant | undefined) => void }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useListTenantsQuery(TENANTS_AS_LISTED);
  if (data) return <TenantPicker tenants={data} autoFocus onPick={onPick} />;
  if (!error || isFetching) return <Spinner label={t('permissions.sync.loadingTenants')} />;
  return <LoadFailed error={error} onRetry={refetch} />;
}
