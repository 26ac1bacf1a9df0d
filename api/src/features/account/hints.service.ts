import { HINT_NAMES, HINTS, type Hint, type ShownHint } from '@apotheca/contract/hints';
import type { Caller } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { isPasswordOff } from '../auth/oidc/local-sign-in.ts';
import { getRightsOf } from '../roles/roles.service.ts';
import { findHints, saveDismissal } from './hints.repository.ts';

/** The first hint that holds, that the signed-in person may follow, and that they have not dismissed (decision 070). */
export async function getHint(context: Context, { id, userName }: Pick<Caller, 'id' | 'userName'>): Promise<ShownHint> {
  const { platform, onlyLocalAccount, oidcProviders, mail } = context;
  const facts = {
    userId: id,
    passwordsAreOn: !isPasswordOff(context, { userName }),
    onlyLocalAccount,
    issuers: oidcProviders.map(({ issuer }) => issuer),
    mailsAreSent: mail !== undefined,
  };
  const [holding, { permissions }] = await Promise.all([findHints(platform, facts), getRightsOf(platform, id)]);
  const mayFollow = (hint: Hint) => HINTS[hint].every((permission) => permissions.includes(permission));
  return { hint: HINT_NAMES.find((hint) => holding.includes(hint) && mayFollow(hint)) ?? null };
}

/** Never shows a hint to the signed-in person again. It is not audited: it changes nothing for anybody else. @returns the next one */
export async function dismissHint(
  context: Context,
  caller: Pick<Caller, 'id' | 'userName'>,
  { hint }: { hint: Hint },
): Promise<ShownHint> {
  await saveDismissal(context.platform, { userId: caller.id, hint, now: context.now() });
  return getHint(context, caller);
}
