import { isRecord } from '../lib/is-record.ts';
import { i18n } from '../locales/i18n.ts';
import type { ApiError } from './api-error.ts';

/** Where the person has said no, or has not answered in time: browsers do not tell these apart. */
const UNANSWERED: readonly unknown[] = ['NotAllowedError', 'AbortError'];

/**
 * Why the browser gave no passkey, as the error of the call that it was for.
 * @returns undefined where the person has changed their mind
 */
export function passkeyError(reason: unknown): ApiError | undefined {
  const name = isRecord(reason) ? reason.name : undefined;
  if (UNANSWERED.includes(name)) return undefined;
  const text = name === 'InvalidStateError' ? 'alreadyHere' : 'failed';
  // No server has answered.
  return { status: 0, message: i18n.t(`session.passkey.${text}`) };
}
