import { ERRORS, type ErrorCode } from '@apotheca/contract/errors';

export interface ErrorDetails {
  /** Better than the code's own message. */
  message?: string;
  /** Messages by field. */
  errors?: Record<string, string[]>;
  /** For too-many and overloaded: seconds until it is worth trying again. */
  retryAfter?: number;
  /** What the caller needs to go on, such as the new plan where the one sent has changed. */
  result?: unknown;
  /** For not-allowed: the permission that is missing. */
  permission?: string;
}

/** The one error that services throw; its code decides status and text (contract/errors). */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(details.message ?? ERRORS[code].message, options);
    this.code = code;
    this.details = details;
  }
}

/** A refusal that names the call's field. */
export const fieldError = (code: ErrorCode, field: string, message: string): AppError =>
  new AppError(code, { message, errors: { [field]: [message] } });
