import { createHash, randomBytes } from 'node:crypto';
import { LINK_MINUTES } from '@apotheca/contract/recovery';
import type { Actor } from '../../../actor.ts';
import { appendAudit, changedVersion } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { queueMail } from '../../../mail/mails.service.ts';
import { passwordLinkMail } from '../../../mail/texts.ts';
import type { MailSettings } from '../../../mail-settings.ts';
import { endSessionsOfUser } from '../auth.service.ts';
import { auditOutcome } from '../auth-audit.ts';
import { recipientOf, tellPasswordChanged } from '../credential-notices.ts';
import { hashNewPassword } from '../new-passwords.ts';
import { isPasswordOff } from '../oidc/local-sign-in.ts';
import { inSeconds } from '../session-times.ts';
import { lockUser } from '../sign-in-users.repository.ts';
import { countLinkRequest, countLinkUse, forgetAttempts } from './link-attempts.ts';
import {
  deleteEndedLinks,
  findLinkUser,
  type LinkOwner,
  replacePasswordLink,
  setOwnPassword,
  takePasswordLink,
} from './password-links.repository.ts';

/** To nobody. */
const NO_RECIPIENT = { name: '', address: '' };

/**
 * Mails a link to choose a new password to whoever has an e-mail address, if they can sign in with a password. Nothing that the caller
 * can see tells whether there is such a user: what is counted, written and queued is the same, but for one row of a link.
 * @throws AppError no-route where no mail server is set; too-many
 */
export async function requestPasswordLink(context: Context, email: string, address: string): Promise<void> {
  const mail = requireMail(context);
  const user = await countLinkRequest(context, email, address);
  const actor: Actor = { id: user?.id ?? null, name: email, address };
  const token = randomBytes(32).toString('base64url');
  const expiresAt = inSeconds(context.now(), LINK_MINUTES * 60);
  await context.platform.transaction().execute(async (trx) => {
    const userId = user && !isPasswordOff(context, user) ? user.id : null;
    const link = { userId, tokenHash: hashOf(token), expiresAt };
    const owner = await replacePasswordLink(trx, link);
    await queueLink(context, trx, { mail, owner, token, address, expiresAt });
    const event = { actor, action: 'auth.link-requested', entity: 'users', entityId: actor.id ?? '' };
    await appendAudit(context, trx, event);
  });
}

interface Link {
  mail: MailSettings;
  /** Absent: there is nobody who may get it. */
  owner: LinkOwner | undefined;
  token: string;
  address: string;
  expiresAt: Date;
}

/** After the #, which browsers send to no server: so the token is in no log. */
function queueLink(context: Context, trx: Trx, { mail, owner, token, address, expiresAt }: Link): Promise<void> {
  const { publicUrl } = mail;
  const text = passwordLinkMail({
    userName: owner?.userName || owner?.email || '',
    address,
    publicUrl,
    link: `${publicUrl}/recover-password#token=${token}`,
  });
  // Nobody has no link whose end could be waited for.
  const linkHash = owner && hashOf(token);
  const to = owner ? recipientOf(owner) : NO_RECIPIENT;
  return queueMail(context, trx, { ...text, to, validUntil: expiresAt, linkHash });
}

/**
 * Sets the password of a link's user, and ends the link, all sessions of the user and the delays after failed sign-ins.
 * @throws AppError no-route where no mail server is set; too-many; invalid for a password that is no good; link-ended
 */
export async function recoverPassword(
  context: Context,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<void> {
  requireMail(context);
  const tokenHash = hashOf(token);
  await countLinkUse(context, tokenHash, address);
  const userId = await findLinkUser(context.platform, tokenHash, context.now());
  if (userId === undefined) return refuseLink(context, address);
  const passwordHash = await hashNewPassword(context, password);
  const wasFirst = await context.platform.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    if (!(await takePasswordLink(trx, tokenHash))) return false;
    const user = await setOwnPassword(trx, userId, { passwordHash, now: context.now() });
    await endSessionsOfUser(context, trx, userId, 'password-changed');
    await tellPasswordChanged(context, trx, user, { by: 'link', address });
    const changes = { ...changedVersion({ version: user.version - 1 }, {}), password: 'changed' };
    const actor = { id: userId, name: user.userName || user.email, address };
    const event = { actor, action: 'auth.password-recovered', entity: 'users', entityId: userId, changes };
    await appendAudit(context, trx, event);
    await forgetAttempts(trx, user, tokenHash);
    return true;
  });
  if (!wasFirst) await refuseLink(context, address);
}

/** Deletes links that nobody used in time. */
export function forgetOldLinks({ platform, now }: Context): Promise<void> {
  return deleteEndedLinks(platform, now());
}

async function refuseLink(context: Context, address: string): Promise<never> {
  await auditOutcome(context, { id: null, name: '', address }, 'auth.link-refused');
  throw new AppError('link-ended');
}

function requireMail({ mail }: Context): MailSettings {
  if (!mail) throw new AppError('no-route', { message: 'This server sends no mails.' });
  return mail;
}

/** Of 256 random bits a fast hash is enough. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
