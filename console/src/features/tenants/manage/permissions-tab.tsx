import type { PermissionSync } from '@apotheca/contract/permissions';
import type { Tenant } from '@apotheca/contract/tenants';
import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { errorText, showError } from '../../../api/answer-errors.ts';
import { useSyncPermissionsMutation } from '../../../api/permissions.ts';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { notify } from '../../../components/toast.tsx';
import { formatCount } from '../../../lib/numbers.ts';

/** Brings the platform's permissions into the tenant's database (SPEC §2.8, Permissions). */
export function PermissionsTab({ tenant }: { tenant: Tenant }) {
  const { t } = useTranslation();
  const [sync, { data, error, isLoading }] = useSyncPermissionsMutation();

  async function handleSync() {
    const outcome = await sync({ tenantId: tenant.id });
    if (outcome.error) return void showError(outcome.error);
    notify.success(t('tenants.manage.permissions.synced', { code: tenant.code }));
  }
  return (
    <div className="manage-stack">
      <div className="manage-head">
        <p>{t('tenants.manage.permissions.what')}</p>
        <Button icon={ShieldCheck} loading={isLoading} onClick={handleSync}>
          {t('tenants.manage.permissions.sync')}
        </Button>
      </div>
      {error && (
        <Notice tone="danger" role="alert">
          {errorText(error)}
        </Notice>
      )}
      {data && !isLoading && <SyncCounts counts={data.result} />}
    </div>
  );
}

const COUNTED = ['added', 'changed', 'removed'] as const;

function SyncCounts({ counts }: { counts: PermissionSync }) {
  const { t } = useTranslation();
  const { kept } = counts;
  return (
    <div className="manage-card" role="status">
      <dl className="manage-facts">
        {COUNTED.map((name) => (
          <div key={name}>
            <dt>{t(`tenants.manage.permissions.${name}`)}</dt>
            <dd className="num">{formatCount(counts[name])}</dd>
          </div>
        ))}
        <div>
          <dt>{t('tenants.manage.permissions.kept')}</dt>
          <dd className="num">{formatCount(kept.length)}</dd>
        </div>
      </dl>
      {kept.length > 0 && (
        <>
          <p className="text-muted">{t('tenants.manage.permissions.keptWhat')}</p>
          <ul className="code-list">
            {kept.map((identifier) => (
              <li key={identifier} className="code">
                {identifier}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
