import { ownFactorRoutes } from '@apotheca/contract/second-factors';
import { useEffect, useEffectEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useBeginTotpMutation, useConfirmTotpMutation } from '../../../api/factors.ts';
import { errorText } from '../../../api/http/answer-errors.ts';
import { SubmitModal } from '../../../components/dialog/submit-modal.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../../components/form/form.tsx';
import { RetryNotice } from '../../../components/notice/retry-notice.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { AppSetup } from './app-setup.tsx';
import type { CodesDialogProps } from './factor-dialog.ts';

const codeForm = z.object({ code: ownFactorRoutes.confirmTotp.body.shape.code });

/** Sets an authenticator app up: its secret as a QR code, then its first code. */
export function AddTotpDialog({ show, onClose, onCodes }: CodesDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useZodForm(codeForm, { defaultValues: { code: '' }, draft: null });
  const { begun, error, begin } = useEnrolment();
  const [confirm, { isLoading }] = useConfirmTotpMutation();
  const { failure, fail } = useFailure();

  const submit = form.handleSubmit(async ({ code }) => {
    if (!begun) return;
    const { data, error: refusal } = await confirm({ token: begun.token, code });
    if (!data) {
      fail(refusal);
      form.setFocus('code', { shouldSelect: true });
      return;
    }
    notify.success(data.message);
    onCodes(data.result?.recoveryCodes);
  });
  return (
    <SubmitModal
      show={show}
      title={t('factors.dialog.totpTitle')}
      formId={formId}
      confirmLabel={t('factors.dialog.totpConfirm')}
      disabled={!begun}
      busy={isLoading}
      failure={failure}
      progress={undefined}
      onClose={onClose}
    >
      {error && <RetryNotice onRetry={begin}>{errorText(error)}</RetryNotice>}
      {!begun && !error && <Spinner label={t('components.loading')} />}
      {begun && (
        <form id={formId} noValidate onSubmit={submit}>
          <AppSetup {...begun} />
          <TextField
            label={t('factors.step.code')}
            error={fieldError(form, 'code')}
            autoComplete="one-time-code"
            inputMode="numeric"
            {...form.register('code')}
          />
        </form>
      )}
    </SubmitModal>
  );
}

/** Asks for a secret when the dialog opens. */
function useEnrolment() {
  const [send, { data, error }] = useBeginTotpMutation();
  const begin = useEffectEvent(() => void send());
  useEffect(() => begin(), []);
  return { begun: data?.result, error, begin: () => void send() };
}
