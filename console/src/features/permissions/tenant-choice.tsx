import type { Tenant } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/http/answer-errors.ts';
import { useListTenantsQuery } from '../../api/tenants.ts';
import { RetryNotice } from '../../components/notice/retry-notice.tsx';
import { Spinner } from '../../components/waiting/spinner.tsx';
import { TenantPicker } from './tenant-picker.tsx';

/** The tenant to sync, once the tenants are loaded. */
export function TenantChoice({ onPick }: { onPick: (tenant: Tenant | undefined) => void }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useListTenantsQuery({});
  if (data) return <TenantPicker tenants={data} autoFocus onPick={onPick} />;
  if (!error || isFetching) return <Spinner label={t('permissions.sync.loadingTenants')} />;
  return (
    <RetryNotice retryText={t('permissions.modal.retry')} onRetry={refetch}>
      {errorText(error)}
    </RetryNotice>
  );
}
