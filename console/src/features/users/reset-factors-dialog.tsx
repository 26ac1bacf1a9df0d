import type { User } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { useResetFactorsMutation } from '../../api/users.ts';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';
import { fullName, signInName } from '../../lib/user-name.ts';

interface ResetFactorsDialogProps {
  show: boolean;
  user: User;
  onClose: () => void;
}

/** Asks before a user's second factor is reset, for who has lost it. */
export function ResetFactorsDialog({ user, ...dialog }: ResetFactorsDialogProps) {
  const { t } = useTranslation();
  const [reset] = useResetFactorsMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('users.resetFactors.title')}
      message={t('users.resetFactors.what', { name: fullName(user), signIn: signInName(user) })}
      confirmLabel={t('users.resetFactors.title')}
      send={() => reset({ id: user.id })}
    />
  );
}
