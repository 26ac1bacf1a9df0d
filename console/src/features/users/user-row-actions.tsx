import { authRoutes } from '@apotheca/contract/auth';
import { type User, userRoutes } from '@apotheca/contract/users';
import {
  CirclePause,
  CirclePlay,
  Copy,
  Eye,
  History,
  KeyRound,
  MonitorSmartphone,
  Pencil,
  ShieldOff,
  Trash2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type RowAction, RowActions } from '../../components/data-table/row-actions.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { UserDialog } from './user-dialog.ts';
import { signInName } from './user-name.ts';

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
  const open = (kind: Exclude<UserDialog['kind'], 'none' | 'create' | 'createService'>) => () => onOpen({ kind, user });
  const deactivate = isOwn ? t('users.actions.deactivateOwn') : t('users.actions.deactivate', { name });
  const toggle = user.isActive
    ? { label: deactivate, icon: CirclePause, disabled: isOwn }
    : { label: t('users.actions.activate', { name }), icon: CirclePlay };
  const keys = {
    label: t('users.actions.keys', { name }),
    icon: KeyRound,
    // Who may change users sees and revokes the keys of others.
    refusal: isOwn ? undefined : refusal(userRoutes.edit),
    onSelect: open('keys'),
  };
  const ofPerson: RowAction[] = [
    {
      label: t('users.actions.duplicate', { name }),
      icon: Copy,
      inMenu: true,
      refusal: refusal(userRoutes.duplicate),
      onSelect: open('duplicate'),
    },
    { ...keys, inMenu: true },
  ];
  const resetFactors: RowAction = {
    label: t('users.actions.resetFactors', { name }),
    icon: ShieldOff,
    inMenu: true,
    refusal: refusal(userRoutes.resetFactors),
    onSelect: open('reset-factors'),
  };
  const sessions: RowAction = {
    label: t('users.actions.sessions', { name }),
    icon: MonitorSmartphone,
    refusal: refusal(authRoutes.listUserSessions),
    onSelect: open('sessions'),
  };
  return (
    <RowActions
      name={name}
      actions={[
        { icon: Eye, label: t('users.actions.view', { name }), onSelect: open('view') },
        {
          icon: Pencil,
          label: t('users.actions.edit', { name }),
          refusal: refusal(userRoutes.edit),
          onSelect: open('edit'),
        },
        user.isService ? keys : sessions,
        { ...toggle, inMenu: true, refusal: refusal(userRoutes.deactivate), onSelect: () => onToggleActive(user) },
        ...(user.isService ? [] : ofPerson),
        { label: t('users.actions.history', { name }), icon: History, inMenu: true, onSelect: open('history') },
        ...(user.hasSecondFactor && !isOwn ? [resetFactors] : []),
        {
          label: isOwn ? t('users.actions.deleteOwn') : t('users.actions.delete', { name }),
          icon: Trash2,
          inMenu: true,
          danger: true,
          disabled: isOwn,
          refusal: refusal(userRoutes.delete),
          onSelect: open('delete'),
        },
      ]}
    />
  );
}
