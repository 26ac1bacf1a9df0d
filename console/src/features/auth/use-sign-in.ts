import type { authRoutes } from '@apotheca/contract/auth';
import type { BodyInput } from '@apotheca/contract/route';
import type { SecondFactorStep } from '@apotheca/contract/sign-in-step';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { authenticate } from '../../session/session.ts';
import type { SessionDispatch } from '../../session/session-slice.ts';
import { useSessionBegin } from './second-step/use-session-begin.ts';

type SignIn = BodyInput<typeof authRoutes.authenticate>;

/**
 * Signs in: makes the call, starts the session and shows messages. The guards of the routes then navigate on. Where a second factor
 * is asked for, `step` says which.
 */
export function useSignIn() {
  const dispatch = useDispatch<SessionDispatch>();
  const [step, setStep] = useState<SecondFactorStep['secondFactor']>();
  const sign = useSessionBegin();

  /** @returns whether the username and password were right */
  async function signIn(credentials: SignIn): Promise<boolean> {
    const answer = await sign.whileLoading(() => dispatch(authenticate(credentials)));
    if (answer.result && 'secondFactor' in answer.result) {
      setStep(answer.result.secondFactor);
      return true;
    }
    if (answer.result) return sign.begin(answer.result);
    return sign.refuse(answer.error);
  }

  return { signIn, step, leaveStep: () => setStep(undefined), ...sign };
}
