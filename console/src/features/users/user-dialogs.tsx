import type { User } from '@apotheca/contract/users';
import type { ReactNode } from 'react';
import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { RecordHistoryModal } from '../../history/record-history-modal.tsx';
import { ImportModal } from '../../imports/import-modal.tsx';
import { signInName } from '../../lib/user-name.ts';
import { DeleteUserDialog } from './delete-user-dialog.tsx';
import { DuplicateUserModal } from './duplicate-user-modal.tsx';
import { ResetFactorsDialog } from './reset-factors-dialog.tsx';
import { ServiceAccountModal } from './service-accounts/service-account-modal.tsx';
import type { UserDialog } from './user-dialog.ts';
import { UserModal } from './user-modal.tsx';

/** The props of a modal with a user's sessions, or API keys. */
interface OfUserProps {
  show: boolean;
  user: { id: string; name: string; isService: boolean };
  onClose: () => void;
}

interface UserDialogsProps {
  dialog: UserDialog;
  onClose: () => void;
  /** Draws the modal with a user's sessions, which is part of another feature. */
  sessions: (props: OfUserProps) => ReactNode;
  /** Draws the modal with a user's API keys, as well. */
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
    case 'import':
      return <ImportModal what="users" {...shared} />;
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
      return sessions({ user: ofUser(dialog.user), ...shared });
    case 'keys':
      return keys({ user: ofUser(dialog.user), ...shared });
  }
}

const ofUser = (user: User) => ({ id: user.id, name: signInName(user), isService: user.isService });
