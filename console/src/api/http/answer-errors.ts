import type { Failure } from '../../components/notice/failure-notice.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { isRecord } from '../../lib/is-record.ts';
import { i18n } from '../../locales/i18n.ts';
import { type ApiError, isApiError, isCancelled, isUnsure } from '../../transport/api-error.ts';
import { operationTitle } from './operation-title.ts';

/** This key names no field: it only says that the request as a whole was refused. */
const WHOLE_REQUEST = 'request';

/**
 * The shared error display (SPEC §8): one toast per field message, or else the answer's own text. A cancelled call is a
 * warning, not an error.
 * @param error what a query or mutation failed with
 * @returns the messages by field, for the form that sent them
 */
export function showError(error: unknown): ApiError['errors'] {
  if (isAborted(error)) return undefined;
  if (!isApiError(error)) {
    notify.error(i18n.t('session.errors.unknown'));
    return undefined;
  }
  if (isCancelled(error)) {
    notify.warning(namedMessage(error));
    return undefined;
  }
  if (error.background) {
    notify.error(namedMessage(error));
    return error.errors;
  }
  const texts = fieldTexts(error.errors ?? {});
  for (const text of texts) notify.error(text);
  // An answer without field messages still shows a text.
  if (texts.length === 0) notify.error(error.message);
  return error.errors;
}

/** A failure in the background names its operation: 'Clone of ACME as TRAINING: …'. */
const namedMessage = ({ background, message }: ApiError): string =>
  background ? `${operationTitle(i18n.t, background)}: ${message}` : message;

/** The text of a failed call, for showing it next to what failed. */
export const errorText = (error: { message?: string }): string => error.message ?? i18n.t('session.errors.unknown');

/** Why an attempt failed, for the dialog that made it. */
export function failureOf(error: unknown, text = errorText(isApiError(error) ? error : {})): Failure {
  const status = isApiError(error) ? error.status : 0;
  const next = nextStep(status);
  return { text, ...(next && { next: i18n.t(`components.failure.${next}`) }), canRetry: !FINAL.includes(status) };
}

/** The same attempt is refused again. */
const FINAL: readonly ApiError['status'][] = [400, 404, 410, 413, 422];

/**
 * What the answer itself does not say. Refusals for the present state or a lack of something (409, 429, 503, 507) are left out: their texts say
 * what to do, and only they know whether that is to wait.
 */
function nextStep(status: ApiError['status']) {
  if (isUnsure({ status })) return 'unsure';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'gone';
  if (status === 503 || status === 507) return undefined;
  return Number(status) >= 500 ? 'server' : undefined;
}

/** Calls that run when the session ends are cancelled; the end of the session is told on its own. */
const isAborted = (error: unknown): boolean => isRecord(error) && error.name === 'AbortError';

const fieldTexts = (errors: Record<string, string[]>): string[] =>
  Object.entries(errors)
    .filter(([field]) => field !== WHOLE_REQUEST)
    .flatMap(([field, messages]) => messages.map((message) => `${field}: ${message}`));
