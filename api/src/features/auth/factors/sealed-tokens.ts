import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { openClaims, sealClaims } from '../sealed-claims.ts';

/** What tokens are for: one of another purpose is refused. */
type Purpose = 'second step' | 'totp enrolment' | 'passkey creation' | 'passkey request' | 'passkey proof';

/** How long a step of a sign-in, of a change of factors or of a proof may take. */
const STEP_SECONDS = 5 * 60;

const sealOf = ({ keys }: Context, purpose: Purpose) => ({ key: keys.steps, purpose, seconds: STEP_SECONDS });

/** What the server will want back in the next call, for the caller to carry. It counts for five minutes. */
export function seal(context: Context, purpose: Purpose, claims: Record<string, unknown>): Promise<string> {
  return sealClaims(sealOf(context, purpose), claims, context.now());
}

/** The claims of a token of {@link seal}; undefined if it is not ours, has expired, is for another purpose, or was sealed by a clock that was ahead. */
export function unseal<Schema extends z.ZodType>(
  context: Context,
  purpose: Purpose,
  schema: Schema,
  token: string,
): Promise<z.output<Schema> | undefined> {
  return openClaims(sealOf(context, purpose), schema, token, context.now());
}
