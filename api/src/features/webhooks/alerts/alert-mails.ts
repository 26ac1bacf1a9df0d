import { EVENT_KINDS, type Event } from '@apotheca/contract/events';
import type { Context } from '../../../context.ts';
import type { Trx } from '../../../db/platform.ts';
import type { MailText } from '../../../mail/mail-text.ts';
import { queueMail } from '../../../mail/mails.service.ts';
import { findNewestEntry, listEventEntries } from '../events.repository.ts';
import { EVENT_ACTIONS, eventOf } from '../events.ts';
import { alertMail } from './alert-text.ts';
import {
  advanceAlerts,
  lockPersonBehind,
  nextAfter,
  nextDaily,
  type PersonBehind,
  skipToNewest,
} from './alerts.repository.ts';
import { offeredTo } from './alerts.service.ts';

/** How many entries of the audit trail one mail goes through at most; the next mail goes on from there. */
const STRETCH = 10_000;
/** How long nobody gets another mail after one, in milliseconds: what happens meanwhile comes in one mail. */
const PAUSE = 300_000;
/** After which time a mail that could not be sent is no news any more, in milliseconds. */
const NEWS = 24 * 3_600_000;

/**
 * Writes the mails that are due to people, of what has happened by now: what happens meanwhile is for the next time. A person's mail and
 * cursor are written in one transaction, so they are told of each event once, whatever is killed and however many processes do this at once.
 */
export async function queueAlerts(context: Context): Promise<void> {
  const { platform } = context;
  const newest = await findNewestEntry(platform);
  await skipToNewest(platform, EVENT_ACTIONS, context.now(), newest);
  for (let isMore = true; isMore; ) {
    isMore = await platform.transaction().execute(async (trx) => {
      const person = await lockPersonBehind(trx, context.now(), newest);
      if (!person) return false;
      await tell(context, trx, person);
      return true;
    });
  }
}

async function tell(context: Context, trx: Trx, person: PersonBehind): Promise<void> {
  const stretch = { after: person.entryCursor, most: STRETCH };
  const { entries, readTo } = await listEventEntries(trx, EVENT_ACTIONS, stretch);
  // What they may see now, and not when they chose.
  const chosen = offeredTo(person.permissions).filter((type) => person.eventTypes.includes(type));
  const events = entries.flatMap((entry) => eventOf(entry, chosen) ?? []);
  if (events.length > 0) {
    await queueMail(context, trx, {
      ...textFor(context, events),
      to: { name: person.name, address: person.email },
      validUntil: new Date(context.now().getTime() + NEWS),
      reader: { id: person.userId, permissions: permissionsFor(events) },
    });
  }
  // Ids of entries have no gaps: where so many were read there may be more, for the next mail at once.
  const isAll = BigInt(readTo) - BigInt(person.entryCursor) < STRETCH;
  const dueAt = isAll ? nextMailAt(person, events.length > 0) : undefined;
  await advanceAlerts(trx, person.userId, readTo, dueAt);
}

/** @returns undefined: as before */
function nextMailAt({ mode, hour, timeZone }: PersonBehind, wasTold: boolean) {
  if (mode === 'daily') return nextDaily(hour, timeZone);
  return wasTold ? nextAfter(PAUSE) : undefined;
}

const textFor = ({ mail, publicUrl = '' }: Context, events: Event[]): MailText =>
  alertMail(events, mail?.publicUrl ?? publicUrl);

const permissionsFor = (events: Event[]): string[] => [
  ...new Set(
    EVENT_KINDS.filter(({ type }) => events.some((event) => event.type === type)).map(({ permission }) => permission),
  ),
];
