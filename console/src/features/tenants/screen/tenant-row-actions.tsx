import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { CirclePause, CirclePlay, Copy, Ellipsis, Eye, Pencil, SlidersHorizontal, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/button/button.tsx';
import { MenuButton } from '../../../components/popup/menu-button.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { TenantDialog } from '../tenant-dialog.ts';

interface TenantRowActionsProps {
  tenant: Tenant;
  onOpen: (dialog: TenantDialog) => void;
  onToggleActive: (tenant: Tenant) => void;
}

/** The buttons of one tenant in the list (SPEC §2.6). */
export function TenantRowActions({ tenant, onOpen, onToggleActive }: TenantRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const name = tenant.customerCode;
  const toggle = tenant.isActive
    ? { label: t('tenants.actions.deactivate', { name }), icon: CirclePause }
    : { label: t('tenants.actions.activate', { name }), icon: CirclePlay };
  const open = (kind: 'view' | 'edit' | 'manage' | 'duplicate' | 'delete') => () => onOpen({ kind, tenant });
  return (
    <>
      <IconButton icon={Eye} label={t('tenants.actions.view', { name })} onClick={open('view')} />
      <IconButton
        icon={Pencil}
        label={t('tenants.actions.edit', { name })}
        refusal={refusal(tenantRoutes.edit)}
        onClick={open('edit')}
      />
      <IconButton icon={SlidersHorizontal} label={t('tenants.actions.manage', { name })} onClick={open('manage')} />
      <MenuButton
        icon={Ellipsis}
        label={t('tenants.actions.more', { name })}
        items={[
          { ...toggle, refusal: refusal(tenantRoutes.deactivate), onSelect: () => onToggleActive(tenant) },
          {
            label: t('tenants.actions.duplicate', { name }),
            icon: Copy,
            refusal: refusal(tenantRoutes.create),
            onSelect: open('duplicate'),
          },
          {
            label: t('tenants.actions.delete', { name }),
            icon: Trash2,
            danger: true,
            refusal: refusal(tenantRoutes.delete),
            onSelect: open('delete'),
          },
        ]}
      />
    </>
  );
}
