import { setTimeout } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { MailSettings } from '../mail-settings.ts';
import { decrypt } from '../secrets.ts';
import { startTaking, type Worker } from '../worker.ts';
import { claimMail, deleteMail, type MailRow, postponeMail } from './mails.repository.ts';
import type { Mail } from './mails.service.ts';
import { failureOf, SMTP_TIMEOUT, sendMail } from './smtp.ts';

/** How many mails a server process sends at once: one that the mail server keeps waiting does not hold up all others. */
const CONCURRENCY = 2;
/** How often an idle worker looks for a mail that is due, in milliseconds. */
const POLL = 2_000;
/** After how many seconds a mail that a server process took is given to another one: it may have been killed. */
const LEASE = 300;
/** The longest pause between two attempts, in seconds. It starts at 2 and doubles. */
const LONGEST_PAUSE = 60;
/** How long a server that stops waits for a mail that is being sent, in milliseconds. */
const STOP_TIMEOUT = 5_000;

/** Sends what is queued, in this server process, until it is stopped. Where no mail server is set it does nothing. */
export function startMailing(
  context: Context,
  onError: (error: unknown) => void,
  { poll = POLL, timeout = SMTP_TIMEOUT }: { poll?: number; timeout?: number } = {},
): Worker {
  const { mail } = context;
  const start = (settings: MailSettings) =>
    startTaking(() => sendNext(context, settings, { onError, timeout }), { poll, onError });
  const workers = mail ? Array.from({ length: CONCURRENCY }, () => start(mail)) : [];
  return {
    async stop() {
      const stopped = Promise.all(workers.map((worker) => worker.stop()));
      // A mail that is cut off is sent again when its lease has ended.
      await Promise.race([stopped, setTimeout(STOP_TIMEOUT, undefined, { ref: false })]);
    },
  };
}

interface Surroundings {
  onError: (error: unknown) => void;
  timeout: number;
}

/** @returns whether there was a mail to send */
async function sendNext(
  context: Context,
  settings: MailSettings,
  { onError, timeout }: Surroundings,
): Promise<boolean> {
  const { platform } = context;
  const row = await claimMail(platform, context.now(), LEASE);
  if (!row) return false;
  const mail = unsealed(context, row);
  if (mail && mail.to.address !== '') {
    try {
      await sendMail(settings, row.id, mail, timeout);
    } catch (error) {
      await tryLater(context, row, mail, error, onError);
      return true;
    }
  }
  if (!mail) onError(new Error(`Mail ${row.id} was queued under another APOTHECA_SECRET, and cannot be sent.`));
  await deleteMail(platform, row.id);
  return true;
}

async function tryLater(
  { platform, now }: Context,
  { id, attempts, validUntil }: MailRow,
  { to }: Pick<Mail, 'to'>,
  error: unknown,
  onError: (error: unknown) => void,
): Promise<void> {
  const { reason, isFinal } = failureOf(error);
  const pause = Math.min(2 ** Math.min(attempts, 10), LONGEST_PAUSE);
  const isOver = isFinal || now().getTime() + pause * 1_000 >= validUntil.getTime();
  const end = isOver ? 'and is given up' : 'and will be tried again';
  // Noted before it is told: of a server that is killed in between, the mail would wait for the end of the lease.
  if (isOver) await deleteMail(platform, id);
  else await postponeMail(platform, id, pause);
  onError(new Error(`Mail ${id} to ${hinted(to.address)} could not be sent (${reason}) ${end}.`));
}

function unsealed({ keys }: Context, { sealed }: MailRow): Omit<Mail, 'validUntil'> | undefined {
  try {
    return JSON.parse(decrypt(keys.mails, sealed));
  } catch {
    return undefined;
  }
}

/** An address for the log: enough to find the person, too little to write to them. */
const hinted = (address: string): string => address.replace(/^(.).*@/s, '$1…@').replace(/\p{Cc}/gu, ' ');
