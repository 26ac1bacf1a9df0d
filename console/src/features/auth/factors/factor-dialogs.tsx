import type { Passkey } from '@apotheca/contract/second-factors';
import { useTranslation } from 'react-i18next';
import { useGetSignInWaysQuery } from '../../../api/account.ts';
import {
  useGetOwnFactorsQuery,
  useMakeRecoveryCodesMutation,
  useRemovePasskeyMutation,
  useRemoveTotpMutation,
} from '../../../api/factors.ts';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { DeleteRecordDialog } from '../../../forms/delete-record-dialog.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { AddTotpDialog } from './add-totp-dialog.tsx';
import { type CodesDialogProps, type FactorDialog, isOnlyFactor } from './factor-dialog.ts';
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface FactorDialogsProps {
  dialog: FactorDialog;
  onOpen: (dialog: FactorDialog) => void;
}

/** The dialog that is open. New recovery codes are shown in the next one. */
export function FactorDialogs({ dialog, onOpen }: FactorDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  const onClose = () => onOpen({ kind: 'none' });
  const onCodes = (codes: string[] | null | undefined) => onOpen(codes ? { kind: 'codes', codes } : { kind: 'none' });
  return <DialogOf key={key} {...shown} onClose={onClose} onCodes={onCodes} />;
}

function DialogOf({ dialog, onCodes, ...shared }: CodesDialogProps & { dialog: FactorDialog }) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'add-totp':
      return <AddTotpDialog onCodes={onCodes} {...shared} />;
    case 'remove-totp':
      return <RemoveTotpDialog {...shared} />;
    case 'add-passkey':
      return <AddPasskeyDialog onCodes={onCodes} {...shared} />;
    case 'rename-passkey':
      return <RenamePasskeyDialog passkey={dialog.passkey} {...shared} />;
    case 'remove-passkey':
      return <RemovePasskeyDialog passkey={dialog.passkey} {...shared} />;
    case 'renew-codes':
      return <RenewCodesDialog onCodes={onCodes} {...shared} />;
    case 'codes':
      return <CodesDialog codes={dialog.codes} {...shared} />;
  }
}

type Shared = Omit<CodesDialogProps, 'onCodes'>;

/**
 * What a removal means where no other factor is left without this one; undefined: one is. Asked anew when the dialog opens, as another tab may have
 * removed the others.
 */
function useIsOnlyText(passkey?: Passkey): string | undefined {
  const { t } = useTranslation();
  const { data } = useGetOwnFactorsQuery(undefined, { refetchOnMountOrArgChange: true });
  const hasPassword = useGetSignInWaysQuery().data?.password !== false;
  if (data === undefined || !isOnlyFactor(data, passkey)) return undefined;
  return t(hasPassword ? 'factors.dialog.removeOnly' : 'factors.dialog.removeOnlyWithoutPassword');
}

function RemoveTotpDialog(dialog: Shared) {
  const { t } = useTranslation();
  const isOnlyText = useIsOnlyText();
  const [remove] = useRemoveTotpMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('factors.card.totpRemove')}
      message={isOnlyText ?? t('factors.dialog.totpRemove')}
      confirmLabel={t('factors.card.totpRemove')}
      send={() => remove()}
    />
  );
}

function RemovePasskeyDialog({ passkey, ...dialog }: Shared & { passkey: Passkey }) {
  const { t } = useTranslation();
  const { id, name } = passkey;
  const isOnlyText = useIsOnlyText(passkey);
  const [remove] = useRemovePasskeyMutation();
  const what = t('factors.dialog.passkeyRemove', { name });
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('factors.dialog.removePasskey')}
      message={isOnlyText ? `${what} ${isOnlyText}` : what}
      confirmLabel={t('factors.dialog.removePasskey')}
      send={() => remove({ id })}
    />
  );
}

function RenewCodesDialog({ show, onCodes, onClose }: CodesDialogProps) {
  const { t } = useTranslation();
  const [renew, { isLoading }] = useMakeRecoveryCodesMutation();
  const { failure, fail } = useFailure();
  async function handleConfirm() {
    const { data, error } = await renew();
    if (data) onCodes(data.result?.recoveryCodes);
    else fail(error);
  }
  return (
    <ConfirmDialog
      show={show}
      title={t('factors.dialog.renewTitle')}
      message={t('factors.dialog.renew')}
      confirmLabel={t('factors.dialog.renewConfirm')}
      busy={isLoading}
      failure={failure}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}

function CodesDialog({ codes, show, onClose }: Shared & { codes: string[] }) {
  const { t } = useTranslation();
  return (
    <Modal show={show} title={t('factors.codes.title')} isShownOnce footer={null} onClose={onClose}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Modal>
  );
}
