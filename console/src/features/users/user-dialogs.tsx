import type { ReactNode } from 'react';
import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { RecordHistoryModal } from '../../history/record-history-modal.tsx';
import { DeleteUserDialog } from './delete-user-dialog.tsx';
import { DuplicateUserModal } from './duplicate-user-modal.tsx';
import { ResetFactorsDialog } from './reset-factors-dialog.tsx';
import { ServiceAccountModal } from './service-accounts/service-account-modal.tsx';
import type { UserDialog } from './user-dialog.ts';
import { UserModal } from './user-modal.tsx';
import { signInName } from './user-name.ts';

/** The props of a modal with a user's sessions, or with the API keys of a service account. */
interface OfUserProps {
  show: boolean;
  user: { id: string; name: string };
  onClose: () => void;
}

interface UserDialogsProps {
  dialog: UserDialog;
  onClose: () => void;
  /** Draws the modal with a user's sessions, which is part of another feature. */
  sessions: (props: OfUserProps) => ReactNode;
  /** Draws the modal with the API keys of a service account, as well. */
  keys: (props: OfUserProps) => ReactNode;
}

/** The dialog that is open. */
export function UserDialogs({ dialog, ...rest }: UserDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <DialogOf key={key} {...shown} {...rest} />;
}

function DialogOf({ dialog, sessions, keys, ...shared }: UserDialogsProps & { show: boolean }) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <UserModal mode="create" {...shared} />;
    case 'createService':
      return <ServiceAccountModal mode="create" {...shared} />;
    case 'edit':
    case 'view':
      if (dialog.user.isService) return <ServiceAccountModal mode={dialog.kind} user={dialog.user} {...shared} />;
      return <UserModal mode={dialog.kind} user={dialog.user} {...shared} />;
    case 'duplicate':
      return <DuplicateUserModal user={dialog.user} {...shared} />;
    case 'delete':
      return <DeleteUserDialog user={dialog.user} {...shared} />;
    case 'reset-factors':
      return <ResetFactorsDialog user={dialog.user} {...shared} />;
    case 'history':
      return (
        <RecordHistoryModal
          record={{ entity: 'users', id: dialog.user.id }}
          name={signInName(dialog.user)}
          {...shared}
        />
      );
    case 'sessions':
      return sessions({ user: { id: dialog.user.id, name: signInName(dialog.user) }, ...shared });
    case 'keys':
      return keys({ user: { id: dialog.user.id, name: signInName(dialog.user) }, ...shared });
  }
}
