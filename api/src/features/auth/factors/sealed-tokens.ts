import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { openClaims, sealClaims } from '../sealed-claims.ts';

/** What tokens are for: one of another purpose is refused. */
type Purpose = 'second step' | 'totp enrolment' | 'passkey creation' | 'passkey request' | 'passkey proof';

/** How long a step of a sign-in, of a change of factors or of a proof may take. */
const STEP_SECONDS = 5 * 60;

/** What the server will want back in the next call, for the caller to carry. It counts for five minutes. */
export function seal({ keys, now }: Context, purpose: Purpose, claims: Record<string, unknown>): Promise<string> {
  return sealClaims({ key: keys.steps, purpose }, claims, now(), STEP_SECONDS);
}

/** The claims of a token of {@link seal}; undefined if it is not ours, has expired, or is for another purpose. */
export function unseal<Schema extends z.ZodType>(
  { keys, now }: Context,
  purpose: Purpose,
  schema: Schema,
  token: string,
): Promise<z.output<Schema> | undefined> {
  return openClaims({ key: keys.steps, purpose }, schema, token, now());
}
