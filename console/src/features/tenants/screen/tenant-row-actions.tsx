import { databaseRoutes } from '@apotheca/contract/databases';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { CirclePause, CirclePlay, Copy, Eye, Pencil, SlidersHorizontal, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '../../../components/data-table/row-actions.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { TenantDialog } from '../tenant-dialog.ts';

interface TenantRowActionsProps {
  tenant: Tenant;
  onOpen: (dialog: TenantDialog) => void;
  onToggleActive: (tenant: Tenant) => void;
}

/** The actions of one tenant in the list (SPEC §2.6). */
export function TenantRowActions({ tenant, onOpen, onToggleActive }: TenantRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const name = tenant.customerCode;
  const toggle = tenant.isActive
    ? { label: t('tenants.actions.deactivate', { name }), icon: CirclePause }
    : { label: t('tenants.actions.activate', { name }), icon: CirclePlay };
  const open = (kind: 'view' | 'edit' | 'manage' | 'duplicate' | 'delete') => () => onOpen({ kind, tenant });
  return (
    <RowActions
      name={name}
      actions={[
        { icon: Eye, label: t('tenants.actions.view', { name }), onSelect: open('view') },
        {
          icon: Pencil,
          label: t('tenants.actions.edit', { name }),
          refusal: refusal(tenantRoutes.edit),
          onSelect: open('edit'),
        },
        { icon: SlidersHorizontal, label: t('tenants.actions.manage', { name }), onSelect: open('manage') },
        { ...toggle, inMenu: true, refusal: refusal(tenantRoutes.deactivate), onSelect: () => onToggleActive(tenant) },
        {
          label: t('tenants.actions.duplicate', { name }),
          icon: Copy,
          inMenu: true,
          refusal: refusal(tenantRoutes.create, databaseRoutes.copy),
          onSelect: open('duplicate'),
        },
        {
          label: t('tenants.actions.delete', { name }),
          icon: Trash2,
          inMenu: true,
          danger: true,
          refusal: refusal(tenantRoutes.delete),
          onSelect: open('delete'),
        },
      ]}
    />
  );
}
