import type { Operation } from '@apotheca/contract/operations';
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';
import { isRecord } from '../lib/is-record.ts';
import { i18n } from '../locales/i18n.ts';
import { messageText } from '../locales/messages.ts';

/** Why there is no usable answer (SPEC §8). */
export type ClientErrorKind = 'FETCH_ERROR' | 'TIMEOUT_ERROR' | 'PARSING_ERROR';

/** A failed call, as all queries and mutations report it. */
export interface ApiError {
  /** HTTP status of the answer, or why there was none. */
  status: number | ClientErrorKind;
  /** The text to show (SPEC §8): the answer's message, title or result, in that order. */
  message: string;
  /** Messages by field. */
  errors?: Record<string, string[]>;
  /** Data that a refusal carries, such as the new plan of a destructive call. */
  result?: unknown;
  /** The operation of the call was cancelled: nothing has failed, and nothing was changed. */
  isCancelled?: boolean;
  /** The operation that failed after its dialog was closed: the toast names it. */
  background?: Operation;
}

export const isApiError = (value: unknown): value is ApiError =>
  isRecord(value) && 'status' in value && typeof value.message === 'string';

/**
 * Whether the server refused because of the present state, such as a changed plan or a record that another user has
 * changed.
 */
export const isConflict = (value: unknown): value is ApiError => isApiError(value) && value.status === 409;

/** Whether the server refused for want of a right. */
export const isForbidden = (error: unknown): boolean => isRecord(error) && error.status === 403;

/** What a query has loaded, or nothing: what was allowed when it was loaded may not be any more, and RTK Query keeps it. */
export const unlessForbidden = <Data>(data: Data, error: unknown): Data | undefined =>
  isForbidden(error) ? undefined : data;

/** What a proxy answers that has no answer of the server, which itself gives neither. */
const OF_A_PROXY: readonly ApiError['status'][] = [502, 504];

/** Whether nobody knows if a failed call was done: its answer was lost. */
export const isUnsure = ({ status }: Pick<ApiError, 'status'>): boolean =>
  typeof status === 'string' || OF_A_PROXY.includes(status);

/** Whether a call ended without effect because its operation was cancelled. */
export const isCancelled = (error: unknown): boolean => isApiError(error) && error.isCancelled === true;

/** The error of a call without a usable answer. */
export const clientError = (status: ClientErrorKind): ApiError => ({
  status,
  message: i18n.t(`session.errors.${status}`),
});

/** The error of a call whose session has ended. */
export const expiredError = (): ApiError => ({ status: 401, message: i18n.t('session.expired') });

/** RTK Query's own error as one of the console's. */
export function toApiError(error: FetchBaseQueryError): ApiError {
  if (error.status === 'CUSTOM_ERROR') return clientError('FETCH_ERROR');
  // The HTML page of a proxy: its status still says whether the token was refused.
  if (error.status === 'PARSING_ERROR') return { ...clientError('PARSING_ERROR'), ...statusIfRefused(error) };
  if (typeof error.status === 'string') return clientError(error.status);
  return { status: error.status, ...readFailure(error.data) };
}

const statusIfRefused = ({ originalStatus }: { originalStatus: number }) =>
  originalStatus === 401 ? { status: originalStatus } : {};

function readFailure(data: unknown): Omit<ApiError, 'status'> {
  const answer = isRecord(data) ? data : {};
  const texts = [answer.message, answer.title, answer.result];
  const message = texts.find((text) => typeof text === 'string' && text !== '');
  return {
    message: typeof message === 'string' ? messageText(message) : i18n.t('session.errors.unknown'),
    ...(isRecord(answer.errors) ? { errors: readFieldErrors(answer.errors) } : {}),
    ...(answer.result === undefined || answer.result === null ? {} : { result: answer.result }),
  };
}

/** The messages of each field, in the language that is shown. */
export const readFieldErrors = (errors: Record<string, unknown>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [
      field,
      (Array.isArray(messages) ? messages : [messages])
        .filter((message) => typeof message === 'string')
        .map(messageText),
    ]),
  );
