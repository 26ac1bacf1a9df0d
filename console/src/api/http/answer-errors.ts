import { notify } from '../../components/toast/toast.tsx';
import { isRecord } from '../../lib/is-record.ts';
import { i18n } from '../../locales/i18n.ts';
import { type ApiError, isApiError, isCancelled } from '../../transport/api-error.ts';
import { operationTitle } from './operation-title.ts';

/** Names no field: it only says that the request as a whole was refused. */
const WHOLE_REQUEST = 'request';

/**
 * The shared error display (SPEC §8): one toast per field message, or else the answer's own text.
 * What was given up is no error but a warning.
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
  // An answer that names no field must not fail in silence.
  if (texts.length === 0) notify.error(error.message);
  return error.errors;
}

/** What failed out of sight is named: 'Clone of ACME as TRAINING: …'. */
const namedMessage = ({ background, message }: ApiError): string =>
  background ? `${operationTitle(i18n.t, background)}: ${message}` : message;

/** The text of a failed call, for where it is shown beside what failed. */
export const errorText = (error: { message?: string }): string => error.message ?? i18n.t('session.errors.unknown');

/** Calls under way are given up when the session ends, which has its own text. */
const isAborted = (error: unknown): boolean => isRecord(error) && error.name === 'AbortError';

const fieldTexts = (errors: Record<string, string[]>): string[] =>
  Object.entries(errors)
    .filter(([field]) => field !== WHOLE_REQUEST)
    .flatMap(([field, messages]) => messages.map((message) => `${field}: ${message}`));
