import { authRoutes } from '@apotheca/contract/auth';
import { type User, userRoutes } from '@apotheca/contract/users';
import {
  CirclePause,
  CirclePlay,
  Copy,
  Ellipsis,
  Eye,
  History,
  KeyRound,
  MonitorSmartphone,
  Pencil,
  ShieldOff,
  Trash2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/button/button.tsx';
import { MenuButton } from '../../components/popup/menu-button.tsx';
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

/** The buttons of one user in the list (SPEC §2.11). */
export function UserRowActions({ user, isOwn, onOpen, onToggleActive }: UserRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const name = signInName(user);
  const open = (kind: Exclude<UserDialog['kind'], 'none' | 'create' | 'createService'>) => () => onOpen({ kind, user });
  const deactivate = isOwn ? t('users.actions.deactivateOwn') : t('users.actions.deactivate', { name });
  const toggle = user.isActive
    ? { label: deactivate, icon: CirclePause, disabled: isOwn }
    : { label: t('users.actions.activate', { name }), icon: CirclePlay };
  const duplicate = {
    label: t('users.actions.duplicate', { name }),
    icon: Copy,
    refusal: refusal(userRoutes.duplicate),
    onSelect: open('duplicate'),
  };
  const keys = { label: t('users.actions.keys', { name }), icon: KeyRound, onSelect: open('keys') };
  const resetFactors = {
    label: t('users.actions.resetFactors', { name }),
    icon: ShieldOff,
    refusal: refusal(userRoutes.resetFactors),
    onSelect: open('reset-factors'),
  };
  const deleteLabel = isOwn ? t('users.actions.deleteOwn') : t('users.actions.delete', { name });
  return (
    <>
      <IconButton icon={Eye} label={t('users.actions.view', { name })} onClick={open('view')} />
      <IconButton
        icon={Pencil}
        label={t('users.actions.edit', { name })}
        refusal={refusal(userRoutes.edit)}
        onClick={open('edit')}
      />
      {user.isService ? (
        <IconButton icon={keys.icon} label={keys.label} onClick={keys.onSelect} />
      ) : (
        <IconButton
          icon={MonitorSmartphone}
          label={t('users.actions.sessions', { name })}
          refusal={refusal(authRoutes.listUserSessions)}
          onClick={open('sessions')}
        />
      )}
      <MenuButton
        icon={Ellipsis}
        label={t('users.actions.more', { name })}
        items={[
          { ...toggle, refusal: refusal(userRoutes.deactivate), onSelect: () => onToggleActive(user) },
          ...(user.isService ? [] : [duplicate, keys]),
          { label: t('users.actions.history', { name }), icon: History, onSelect: open('history') },
          ...(user.hasSecondFactor && !isOwn ? [resetFactors] : []),
          {
            label: deleteLabel,
            icon: Trash2,
            danger: true,
            disabled: isOwn,
            refusal: refusal(userRoutes.delete),
            onSelect: open('delete'),
          },
        ]}
      />
    </>
  );
}
