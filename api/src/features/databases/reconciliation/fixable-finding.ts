import type { Finding } from '@apotheca/contract/reconciliation';
import type { Actor } from '../../../actor.ts';
import { AppError } from '../../../errors.ts';

/** A finding with the function that fixes it. */
export interface FixableFinding extends Finding {
  applyFix?: (actor: Actor) => Promise<unknown>;
}

/** The refusal of a fix of what has changed since it was listed. */
export const noSuchFinding = (): AppError =>
  new AppError('not-found', { message: 'This finding no longer exists: nothing was changed.' });
