import type { Event } from '@apotheca/contract/events';
import type { MailText } from '../../../mail/mail-text.ts';
import { counted } from '../../../wording.ts';
import { linkOf, sentenceOf } from '../event-text.ts';

/** How many events a mail tells one by one, the newest. */
const MOST = 50;

/** The mail that tells a person of events. @param events oldest first, at least one */
export function alertMail(events: readonly Event[], publicUrl: string): MailText {
  const [only] = events;
  const told = events.slice(-MOST);
  const left = events.length - told.length;
  return {
    subject: `Apotheca: ${only && events.length === 1 ? sentenceOf(only) : `${events.length} events`}`,
    paragraphs: [
      ...(left > 0 ? [`${counted(left, 'earlier event')} ${left === 1 ? 'is' : 'are'} in the audit trail.`] : []),
      ...told.flatMap((event) => [
        `${momentOf(event)}: ${sentenceOf(event)}`,
        ...(events.length === 1 ? [{ link: linkOf(publicUrl, event) }] : []),
      ]),
      ...(events.length === 1 ? [] : [{ link: `${publicUrl}/audit` }]),
      'You get this mail because you asked for alerts. You can change that in your profile:',
      { link: `${publicUrl}/profile` },
    ],
  };
}

const momentOf = ({ timestamp }: Event): string => {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Date(timestamp).toLocaleString('en-GB', options)} UTC`;
};
