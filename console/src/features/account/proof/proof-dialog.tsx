import { type ProofWays, proofByPassword } from '@apotheca/contract/account';
import { ExternalLink, KeyRound } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useGetProofWaysQuery, useProveMutation } from '../../../api/account.ts';
import { errorText } from '../../../api/http/answer-errors.ts';
import { Button } from '../../../components/button/button.tsx';
import { DialogButtons } from '../../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { PasswordField } from '../../../components/field/password-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { applyServerErrors, fieldError, useZodForm } from '../../../components/form/form.tsx';
import { RetryNotice } from '../../../components/notice/retry-notice.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { useOneAtATime } from '../../../lib/use-one-at-a-time.ts';
import { messageText } from '../../../locales/messages.ts';
import { selectSession } from '../../../session/session-slice.ts';
import { isApiError } from '../../../transport/api-error.ts';
import { canUsePasskeys } from '../../../transport/runtime-config.ts';
import { UsernameForPasswords } from '../username-for-passwords.tsx';
import { tellOtherTabs, useProofElsewhere } from './other-tabs.ts';
import { useProveByPasskey } from './use-prove-by-passkey.ts';
import { type ProviderTab, useProveByProvider } from './use-prove-by-provider.ts';

interface ProofDialogProps {
  /** What waits for the proof, in words. */
  purposes: readonly string[];
  /** Called once the dialog is gone and the focus is where it was. */
  onAnswer: (isProved: boolean) => void;
}

/** Asks who is signed in for a passkey or the password, as what they want to do needs a fresh proof (decision 045). */
export function ProofDialog({ purposes, onAnswer }: ProofDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const { username, email } = useSelector(selectSession);
  const [answer, setAnswer] = useState<boolean>();
  const { data, error, isFetching, refetch } = useGetProofWaysQuery();
  const ways = data && { ...data, passkeys: data.passkeys && canUsePasskeys() };
  const { form, isBusy, failure, submit, takePasskey, providerTab, takeProvider } = useProof({
    onProved: () => setAnswer(true),
    onCodeMissing: refetch,
  });
  useProofElsewhere(setAnswer);
  const confirm = ways?.password && (
    <Button type="submit" form={formId} loading={isBusy}>
      {t('proof.confirm')}
    </Button>
  );
  return (
    <Modal
      show={answer === undefined}
      title={t('proof.title')}
      size="sm"
      busy={isBusy}
      failure={failure}
      retry={ways?.password ? { type: 'submit', form: formId } : undefined}
      onClose={() => setAnswer(false)}
      onClosed={() => answer !== undefined && onAnswer(answer)}
      footer={<DialogButtons isBusy={isBusy}>{confirm}</DialogButtons>}
    >
      <form id={formId} className="proof-form" noValidate onSubmit={submit}>
        <p>{t('proof.who', { name: username || email })}</p>
        <div>
          <p>{t('proof.purposes')}</p>
          <ul>
            {purposes.map((purpose) => (
              <li key={purpose}>{messageText(purpose)}</li>
            ))}
          </ul>
        </div>
        {ways && <Ways {...{ ways, form, isBusy, providerTab }} onPasskey={takePasskey} onProvider={takeProvider} />}
        {!ways && isFetching && <Spinner label={t('components.loading')} />}
        {!ways && !isFetching && error && <RetryNotice onRetry={refetch}>{errorText(error)}</RetryNotice>}
      </form>
    </Modal>
  );
}

interface WaysProps {
  ways: ProofWays;
  form: ProofForm;
  isBusy: boolean;
  providerTab: ProviderTab | undefined;
  onPasskey: () => void;
  onProvider: (id: string) => void;
}

/** By what the person can prove it: the first of them has the focus. */
function Ways({ ways, form, isBusy, providerTab, onPasskey, onProvider }: WaysProps) {
  const { t } = useTranslation();
  const { provider } = ways;
  const byButton = ways.passkeys || provider !== null;
  return (
    <>
      {ways.passkeys && (
        <Button variant="secondary" size="large" block icon={KeyRound} loading={isBusy} autoFocus onClick={onPasskey}>
          {t('proof.passkey')}
        </Button>
      )}
      {provider && (
        <Button
          variant="secondary"
          size="large"
          block
          icon={ExternalLink}
          loading={isBusy}
          autoFocus={!ways.passkeys}
          onClick={() => onProvider(provider.id)}
        >
          {t('proof.provider', { name: provider.name })}
        </Button>
      )}
      {provider && providerTab && <p role="status">{t(`proof.tab.${providerTab}`, { name: provider.name })}</p>}
      {byButton && ways.password && <p>{t('proof.or')}</p>}
      {ways.password && (
        <>
          <UsernameForPasswords />
          <PasswordField
            label={t('proof.password')}
            error={fieldError(form, 'password')}
            required
            autoComplete="current-password"
            autoFocus={!byButton}
            {...form.register('password')}
          />
        </>
      )}
      {ways.password && ways.code && (
        <TextField
          label={t('proof.code')}
          hint={t('proof.codeHint')}
          error={fieldError(form, 'code')}
          required
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register('code')}
        />
      )}
      {!ways.password && !byButton && <p>{t('proof.otherwise')}</p>}
    </>
  );
}

type ProofForm = ReturnType<typeof useProof>['form'];

interface ProofEvents {
  onProved: () => void;
  /** The server wants a code that no field was there for: a second factor was added elsewhere since the question was asked. */
  onCodeMissing: () => void;
}

/** Proves who is signed in by what was typed, or by a passkey, and tells the other tabs. */
function useProof({ onProved, onCodeMissing }: ProofEvents) {
  const form = useZodForm(proofByPassword, { defaultValues: { password: '' }, draft: null });
  const [prove, { reset }] = useProveMutation();
  const askForPasskey = useProveByPasskey();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail, clear } = useFailure();

  async function attempt(work: () => Promise<{ error?: unknown } | undefined>) {
    clear();
    const outcome = await run(work);
    // Busy already, or no passkey was given.
    if (!outcome) return;
    const { error } = outcome;
    if (!error) {
      tellOtherTabs();
      return onProved();
    }
    const left = applyServerErrors(form, isApiError(error) ? (error.errors ?? {}) : {});
    if (!isApiError(error) || !error.errors || Object.keys(left).length > 0) fail(error);
    if (left.code) onCodeMissing();
  }
  const byProvider = useProveByProvider(attempt);
  const submit = form.handleSubmit((typed) =>
    attempt(async () => {
      const outcome = await prove(typed);
      // Otherwise the password stays in the store.
      reset();
      return outcome;
    }),
  );
  return {
    form,
    isBusy,
    failure,
    submit,
    takePasskey: () => attempt(askForPasskey),
    providerTab: byProvider.tabState,
    takeProvider: (id: string) => attempt(() => byProvider.ask(id)),
  };
}
