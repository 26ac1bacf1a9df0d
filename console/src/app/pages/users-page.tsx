import { userImportRoutes } from '@apotheca/contract/user-import';
import { useTranslation } from 'react-i18next';
import { useOpenDialog } from '../../components/form/drafts.ts';
import { ApiKeysModal } from '../../features/auth/keys/api-keys-modal.tsx';
import { SessionsModal } from '../../features/auth/sessions/sessions-modal.tsx';
import { CreateUserButton } from '../../features/users/create-user-button.tsx';
import { CreateServiceAccountButton } from '../../features/users/service-accounts/create-service-account-button.tsx';
import type { UserDialog } from '../../features/users/user-dialog.ts';
import { UserDialogs } from '../../features/users/user-dialogs.tsx';
import { UsersTable } from '../../features/users/users-table.tsx';
import { ImportButton } from '../../imports/import-button.tsx';
import { PageHeader } from './page-header.tsx';

/** Users: the list and what can be done with each of them (SPEC §2.11). */
export function UsersPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<UserDialog>({ kind: 'none' });
  return (
    <>
      <PageHeader
        title={t('users.title')}
        actions={
          <>
            <ImportButton call={userImportRoutes.start} onClick={() => setDialog({ kind: 'import' })} />
            <CreateServiceAccountButton onOpen={() => setDialog({ kind: 'createService' })} />
            <CreateUserButton onOpen={setDialog} />
          </>
        }
      />
      <UsersTable onOpen={setDialog} />
      <UserDialogs
        dialog={dialog}
        sessions={(props) => <SessionsModal {...props} />}
        keys={(props) => <ApiKeysModal {...props} />}
        onClose={() => setDialog({ kind: 'none' })}
      />
    </>
  );
}
