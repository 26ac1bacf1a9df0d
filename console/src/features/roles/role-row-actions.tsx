import { type Role, roleRoutes } from '@apotheca/contract/roles';
import { Copy, History, ListChecks, Pencil, ShieldCheck, ShieldOff, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RowActions } from '../../components/data-table/row-actions.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { RoleDialog } from './role-dialog.ts';

interface RoleRowActionsProps {
  role: Role;
  onOpen: (dialog: RoleDialog) => void;
}

/** The actions of one role in the list. A seeded role keeps its name, and is not deleted. */
export function RoleRowActions({ role, onOpen }: RoleRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { roleName: name, isBuiltIn, requiresSecondFactor } = role;
  const open = (kind: 'copy' | 'rename' | 'delete' | 'permissions' | 'second-factor' | 'history') => () =>
    onOpen({ kind, role });
  const label = (action: 'rename' | 'delete') =>
    isBuiltIn ? t(`roles.actions.${action}BuiltIn`) : t(`roles.actions.${action}`, { name });
  return (
    <RowActions
      name={name}
      actions={[
        { icon: ListChecks, label: t('roles.actions.permissions', { name }), onSelect: open('permissions') },
        {
          label: t('roles.actions.copy', { name }),
          icon: Copy,
          inMenu: true,
          refusal: refusal(roleRoutes.create),
          onSelect: open('copy'),
        },
        {
          label: label('rename'),
          icon: Pencil,
          inMenu: true,
          disabled: isBuiltIn,
          refusal: refusal(roleRoutes.edit),
          onSelect: open('rename'),
        },
        {
          label: t(requiresSecondFactor ? 'roles.actions.waiveFactor' : 'roles.actions.requireFactor', { name }),
          icon: requiresSecondFactor ? ShieldOff : ShieldCheck,
          inMenu: true,
          refusal: refusal(roleRoutes.edit),
          onSelect: open('second-factor'),
        },
        { label: t('roles.actions.history', { name }), icon: History, inMenu: true, onSelect: open('history') },
        {
          label: label('delete'),
          icon: Trash2,
          inMenu: true,
          danger: true,
          disabled: isBuiltIn,
          refusal: refusal(roleRoutes.delete),
          onSelect: open('delete'),
        },
      ]}
    />
  );
}
