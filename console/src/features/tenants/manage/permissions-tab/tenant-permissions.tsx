import type { TenantPermission } from '@apotheca/contract/tenant-permissions';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListTenantPermissionsQuery } from '../../../../api/permissions.ts';
import { Button } from '../../../../components/button/button.tsx';
import { FilterField } from '../../../../components/data-table/filter-field.tsx';
import { textSearch } from '../../../../lib/text-search.ts';
import { LoadFailed } from '../../../../operations/load-failed.tsx';
import { LoadingText } from '../../../../operations/loading-text.tsx';
import { unlessForbidden } from '../../../../transport/api-error.ts';
import { PermissionSwitch } from './permission-switch.tsx';

/** The tenant's permissions, each with a switch: a permission that is off stays off after a sync (DECISIONS §10). */
export function TenantPermissions({ tenantId }: { tenantId: string }) {
  const { t } = useTranslation();
  const list = useListTenantPermissionsQuery({ tenantId }, { refetchOnMountOrArgChange: true });
  const permissions = unlessForbidden(list.data, list.error);
  const title = t('tenants.manage.permissions.own');
  return (
    <section className="manage-card" aria-label={title} aria-busy={list.isFetching}>
      <h3>{title}</h3>
      {list.isError && <LoadFailed error={list.error} busy={list.isFetching} onRetry={list.refetch} />}
      {list.isFetching && !permissions && <LoadingText>{t('tenants.manage.permissions.loading')}</LoadingText>}
      {permissions?.length === 0 && <p className="text-muted">{t('tenants.manage.permissions.none')}</p>}
      {permissions && permissions.length > 0 && <Switches {...{ tenantId, permissions }} />}
    </section>
  );
}

interface SwitchesProps {
  tenantId: string;
  permissions: readonly TenantPermission[];
}

function Switches({ tenantId, permissions }: SwitchesProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const search = useMemo(
    () =>
      textSearch<TenantPermission>(({ module, name, identifier, isActive }) => [
        module,
        name,
        identifier,
        t(isActive ? 'tenants.manage.permissions.on' : 'tenants.manage.permissions.off'),
      ]),
    [t],
  );
  function clear() {
    setText('');
    // The button that was clicked disappears.
    field.current?.focus();
  }
  const found = permissions.filter(search(text));
  const off = permissions.filter(({ isActive }) => !isActive).length;
  return (
    <>
      <div className="checklist-head">
        <FilterField
          ref={field}
          label={t('tenants.manage.permissions.filter')}
          value={text}
          onChange={setText}
          hasKey={false}
        />
        <span className="num text-muted" role="status">
          {t('tenants.manage.permissions.count', { shown: found.length, total: permissions.length, off })}
        </span>
      </div>
      {found.length === 0 && (
        <p className="text-muted">
          {t('tenants.manage.permissions.noMatch')}{' '}
          <Button variant="link" onClick={clear}>
            {t('components.filter.clear')}
          </Button>
        </p>
      )}
      {[...Map.groupBy(found, ({ module }) => module)].map(([module, members]) => (
        <fieldset key={module} className="switch-group">
          <legend>{module}</legend>
          <ul>
            {members.map((permission) => (
              <PermissionSwitch key={permission.id} tenantId={tenantId} permission={permission} />
            ))}
          </ul>
        </fieldset>
      ))}
    </>
  );
}
