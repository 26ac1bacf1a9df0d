import { ERRORS, type ErrorCode } from '@apotheca/contract/errors';

export interface ErrorDetails {
  /** A more precise message than that of the code. */
  message?: string;
  /** Messages by field. */
  errors?: Record<string, string[]>;
  /** For too-many and overloaded: after how many seconds to try again. */
  retryAfter?: number;
  /** What the caller needs to go on, such as the new plan if the one that was sent is outdated. */
  result?: unknown;
  /** For not-allowed: the permission that is missing. */
  permission?: string;
}

/** The error that services throw. Its code decides the status and the text (contract/errors). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(details.message ?? ERRORS[code].message, options);
    this.code = code;
    this.details = details;
  }
}

/** A refusal with its message at one field of the call. */
export const fieldError = (code: ErrorCode, field: string, message: string): AppError =>
  new AppError(code, { message, errors: { [field]: [message] } });
