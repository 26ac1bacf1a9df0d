import { authRoutes } from '@apotheca/contract/auth';
import { type User, userRoutes } from '@apotheca/contract/users';
import {
  CirclePause,
  CirclePlay,
  Copy,
  Eye,
  History,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  Pencil,
  ShieldOff,
  Trash2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type RowAction, RowActions } from '../../components/data-table/row-actions.tsx';
import { signInName } from '../../lib/user-name.ts';
import { type RefusalOf, useRefusal } from '../../rights/rights.tsx';
import type { UserDialog } from './user-dialog.ts';

type Kind = Extract<UserDialog, { user: User }>['kind'];

interface UserRowActionsProps {
  user: User;
  /** The user is the one who is signed in, who can be neither deactivated nor deleted (DECISIONS §5). */
  isOwn: boolean;
  onOpen: (dialog: UserDialog) => void;
  onToggleActive: (user: User) => void;
}

/** The actions of one user in the list (SPEC §2.11). */
export function UserRowActions({ user, isOwn, onOpen, onToggleActive }: UserRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const name = signInName(user);
  const action = (kind: Kind, icon: LucideIcon, label: string, ...calls: Parameters<RefusalOf>) => ({
    label,
    icon,
    refusal: refusal(...calls),
    onSelect: () => onOpen({ kind, user }),
  });
  // Who may change users sees and revokes the keys of others.
  const keys = action('keys', KeyRound, t('users.actions.keys', { name }), ...(isOwn ? [] : [userRoutes.edit]));
  const buttons = [
    action('view', Eye, t('users.actions.view', { name })),
    action('edit', Pencil, t('users.actions.edit', { name }), userRoutes.edit),
    user.isService
      ? keys
      : action('sessions', MonitorSmartphone, t('users.actions.sessions', { name }), authRoutes.listUserSessions),
  ];
  const deactivate = isOwn ? t('users.actions.deactivateOwn') : t('users.actions.deactivate', { name });
  const toggle = user.isActive
    ? { label: deactivate, icon: CirclePause, disabled: isOwn }
    : { label: t('users.actions.activate', { name }), icon: CirclePlay };
  const { duplicate, deactivate: setActive, resetFactors, delete: remove } = userRoutes;
  const deletion = isOwn ? t('users.actions.deleteOwn') : t('users.actions.delete', { name });
  const items: RowAction[] = [
    { ...toggle, refusal: refusal(setActive), onSelect: () => onToggleActive(user) },
    ...(user.isService ? [] : [action('duplicate', Copy, t('users.actions.duplicate', { name }), duplicate), keys]),
    action('history', History, t('users.actions.history', { name })),
    ...(user.hasSecondFactor && !isOwn
      ? [action('reset-factors', ShieldOff, t('users.actions.resetFactors', { name }), resetFactors)]
      : []),
    { ...action('delete', Trash2, deletion, remove), danger: true, disabled: isOwn },
  ];
  return <RowActions name={name} actions={[...buttons, ...items.map((item) => ({ ...item, inMenu: true }))]} />;
}
