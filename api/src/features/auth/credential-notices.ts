import type { Context } from '../../context.ts';
import type { Trx } from '../../db/platform.ts';
import type { MailText } from '../../mail/mail-text.ts';
import { queueMail } from '../../mail/mails.service.ts';
import { factorsResetMail, passwordChangedMail } from '../../mail/texts.ts';
import { inSeconds } from './session-times.ts';

/** A person whom a mail is for. */
export interface Recipient {
  userName: string;
  email: string;
  firstName: string;
  lastName: string;
}

/** For how long it is tried to tell somebody something, in seconds. */
const NOTICE_SECONDS = 24 * 3600;

/** Who changed a password: the person, a link that was mailed to them, or somebody else by name. */
export interface PasswordChange {
  by: 'self' | 'link' | { name: string };
  /** Whether the session in which it was changed goes on; absent: all have ended. */
  sessionStays?: boolean;
  address: string;
}

/**
 * Tells a person by mail that their password was changed. Does nothing where no mail server is set, or the person has no address.
 * Call it in the transaction of the change.
 */
export async function tellPasswordChanged(
  context: Context,
  trx: Trx,
  user: Recipient,
  { by, sessionStays = false, address }: PasswordChange,
): Promise<void> {
  await tell(context, trx, user, (about) => passwordChangedMail({ ...about, by, sessionStays, address }));
}

/** Tells a person by mail that their second factor was reset, as {@link tellPasswordChanged} does. */
export async function tellFactorsReset(
  context: Context,
  trx: Trx,
  user: Recipient,
  reset: { by: string; address: string },
): Promise<void> {
  await tell(context, trx, user, (about) => factorsResetMail({ ...about, ...reset }));
}

async function tell(
  context: Context,
  trx: Trx,
  user: Recipient,
  textOf: (about: { userName: string; publicUrl: string; at: Date }) => MailText,
): Promise<void> {
  if (!context.mail || user.email === '') return;
  const { publicUrl } = context.mail;
  await queueMail(context, trx, {
    ...textOf({ userName: user.userName || user.email, publicUrl, at: context.now() }),
    to: recipientOf(user),
    validUntil: inSeconds(context.now(), NOTICE_SECONDS),
  });
}

export const recipientOf = ({ firstName, lastName, email }: Recipient) => ({
  name: `${firstName} ${lastName}`.trim(),
  address: email,
});
