import type { Tenant } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/answer-errors.ts';
import { useListTenantsQuery } from '../../api/tenants.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { TenantPicker } from './tenant-picker.tsx';

/** The tenant to sync, once the tenants are loaded. */
export function TenantChoice({ onPick }: { onPick: (tenant: Tenant | undefined) => void }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useListTenantsQuery({});
  if (data) return <TenantPicker tenants={data} autoFocus onPick={onPick} />;
  if (!error || isFetching) return <Spinner label={t('permissions.sync.loadingTenants')} />;
  const retry = (
    <Button variant="secondary" size="small" onClick={refetch}>
      {t('permissions.modal.retry')}
    </Button>
  );
  return (
    <Notice tone="danger" role="alert" action={retry}>
      {errorText(error)}
    </Notice>
  );
}
