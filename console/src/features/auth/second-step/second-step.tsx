import '../../../locales/factors.ts';
import type { SessionResult } from '@apotheca/contract/auth';
import { secondStepRoutes } from '@apotheca/contract/second-factors';
import type { FactorMethod, SecondFactorStep } from '@apotheca/contract/sign-in-step';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { z } from 'zod';
import { Button } from '../../../components/button/button.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../../components/form/form.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { callSignedOut } from '../../../session/session.ts';
import type { SessionDispatch } from '../../../session/session-slice.ts';
import { canUsePasskeys } from '../../../transport/runtime-config.ts';
import { AppSetup } from '../factors/app-setup.tsx';
import { RecoveryCodes } from '../factors/recovery-codes.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { useSessionBegin } from './use-session-begin.ts';

const codeForm = z.object({ code: secondStepRoutes.factor.body.shape.code });

interface SecondStepProps {
  step: SecondFactorStep['secondFactor'];
  onBack: () => void;
}

/** Asks for the second factor after a right password; sets one up where the user role needs one and there is none. */
export function SecondStep({ step, onBack }: SecondStepProps) {
  const { t } = useTranslation();
  const sign = useSessionBegin();
  const methods = step.methods.filter((method) => method !== 'passkey' || canUsePasskeys());
  const [method, setMethod] = useState<FactorMethod>(methods.includes('totp') ? 'totp' : 'recovery');
  const [opened, setOpened] = useState<{ session: SessionResult; codes: string[] }>();
  if (opened) return <RecoveryCodes codes={opened.codes} onDone={() => sign.begin(opened.session)} />;
  const other = method === 'totp' ? 'recovery' : 'totp';
  return (
    <div className="auth-form second-step">
      {sign.refusal && (
        <Notice tone="danger" title={t('factors.step.failed')}>
          {sign.refusal}
        </Notice>
      )}
      <p>{t(step.enrolment ? 'factors.step.enrol' : `factors.step.${method === 'totp' ? 'totp' : 'recovery'}`)}</p>
      {step.enrolment && <AppSetup {...step.enrolment} />}
      <CodeForm
        key={method}
        token={step.token}
        method={method === 'totp' ? 'totp' : 'recovery'}
        sign={sign}
        onCodes={(session, codes) => setOpened({ session, codes })}
      />
      {methods.includes('passkey') && (
        <PasskeyButton token={step.token} label={t('factors.step.usePasskey')} sign={sign} />
      )}
      <div className="second-step-others">
        {methods.includes(other) && (
          <Button variant="link" onClick={() => setMethod(other)}>
            {t(other === 'totp' ? 'factors.step.useTotp' : 'factors.step.useRecovery')}
          </Button>
        )}
        <Button variant="link" onClick={onBack}>
          {t('factors.step.back')}
        </Button>
      </div>
    </div>
  );
}

interface CodeFormProps {
  token: string;
  method: 'totp' | 'recovery';
  sign: ReturnType<typeof useSessionBegin>;
  /** The code has set up the factor: its recovery codes are shown before the session begins. */
  onCodes: (session: SessionResult, codes: string[]) => void;
}

function CodeForm({ token, method, sign, onCodes }: CodeFormProps) {
  const { t } = useTranslation();
  const dispatch = useDispatch<SessionDispatch>();
  const form = useZodForm(codeForm, { defaultValues: { code: '' }, draft: null });
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);

  const submit = form.handleSubmit(async ({ code }) => {
    const body = { token, method, code };
    const answer = await sign.whileLoading(() => dispatch(callSignedOut('factor', secondStepRoutes.factor, body)));
    if (!answer.result) {
      sign.refuse(answer.error);
      setFocus('code', { shouldSelect: true });
      return;
    }
    const { recoveryCodes, ...session } = answer.result;
    if (recoveryCodes) onCodes(session, recoveryCodes);
    else sign.begin(session);
  });
  const isTotp = method === 'totp';
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={t(isTotp ? 'factors.step.code' : 'factors.step.recoveryCode')}
        error={fieldError(form, 'code')}
        autoComplete={isTotp ? 'one-time-code' : 'off'}
        inputMode={isTotp ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        {...form.register('code')}
      />
      <Button type="submit" size="large" block loading={sign.isLoading}>
        {t('factors.step.continue')}
      </Button>
    </form>
  );
}
