import { type TenantPermission, tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { showError } from '../../../../api/http/answer-errors.ts';
import { useSetTenantPermissionMutation } from '../../../../api/permissions.ts';
import { Badge } from '../../../../components/display/badge.tsx';
import { Checkbox } from '../../../../components/field/checkbox.tsx';
import { refusedInput } from '../../../../components/field/refused-input.ts';
import { notify } from '../../../../components/toast/toast.tsx';
import { useOneAtATime } from '../../../../lib/use-one-at-a-time.ts';
import { useRefusal } from '../../../../rights/rights.tsx';

interface PermissionSwitchProps {
  tenantId: string;
  permission: TenantPermission;
}

/** One of a tenant's permissions, with its switch. */
export const PermissionSwitch = memo(({ tenantId, permission }: PermissionSwitchProps) => {
  const { t } = useTranslation();
  const { name, identifier, isActive } = permission;
  const [set] = useSetTenantPermissionMutation();
  const { run } = useOneAtATime();
  const refusal = useRefusal();

  async function change(on: boolean, onUndo?: () => void) {
    const outcome = await run(() => set({ tenantId, identifier, isActive: String(on) }));
    if (!outcome) return;
    if (outcome.error) return void showError(outcome.error);
    notify.success(outcome.data.message, onUndo && { label: t('components.toast.undo'), onSelect: onUndo });
  }
  return (
    <li className="switch-row">
      <Checkbox
        role="switch"
        className="form-switch"
        label={
          <>
            {name} <span className="code text-muted">{identifier}</span>
          </>
        }
        checked={isActive}
        {...refusedInput(refusal(tenantPermissionRoutes.set))}
        onChange={({ target: { checked } }) => void change(checked, () => void change(!checked))}
      />
      {!isActive && <Badge tone="muted">{t('tenants.manage.permissions.off')}</Badge>}
    </li>
  );
});
