import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Trx } from '../db/platform.ts';
import { encrypt } from '../secrets.ts';
import type { MailText } from './mail-text.ts';
import { deleteMailsBefore, insertMail } from './mails.repository.ts';

/** A mail to one person. */
export interface Mail extends MailText {
  /** An empty address: it is queued like any other, which takes as long, and thrown away instead of sent. */
  to: { name: string; address: string };
  /** It is not sent later than this. */
  validUntil: Date;
  /** Who reads it: it is not sent once they are deactivated or lack one of the permissions. Absent: it is sent in any case. */
  reader?: { id: string; permissions: string[] };
  /** The SHA-256 of the token of the link that it brings: it is not sent once that has ended. Absent: it brings none. */
  linkHash?: Buffer | undefined;
}

/**
 * Queues a mail in a transaction: it is sent if and only if that is committed, within seconds, or as soon as the mail server takes it, one
 * with a link before all others. It may come twice where a server process is killed at the moment of sending. Does nothing where no mail
 * server is set. What waits is encrypted, as a mail may hold a link.
 */
export async function queueMail(
  context: Context,
  trx: Trx,
  { validUntil, reader, linkHash, ...content }: Mail,
): Promise<void> {
  if (!context.mail) return;
  const sealed = encrypt(context.keys.mails, JSON.stringify(content));
  await insertMail(trx, {
    id: randomUUID(),
    sealed,
    validUntil,
    readerId: reader?.id ?? null,
    permissions: reader?.permissions ?? [],
    linkHash: linkHash ?? null,
  });
}

/** Deletes mails that came too late to be sent. @param onError is told how many might have been read: the mail server is too slow for them */
export async function forgetLateMails({ platform, now }: Context, onError: (error: unknown) => void): Promise<void> {
  const late = await deleteMailsBefore(platform, now());
  const links = late.filter((isLink) => isLink).length;
  if (late.length > 0)
    onError(new Error(`Mails that came too late to be sent: ${late.length}, with a link: ${links}.`));
}
