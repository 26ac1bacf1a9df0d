import { LINK_MINUTES } from '@apotheca/contract/recovery';
import type { MailText } from './mail-text.ts';

/** The texts of all mails, in plain English. */

/** The link to choose a new password, for who forgot theirs. */
export const passwordLinkMail = (about: {
  userName: string;
  /** Who asked. */
  address: string;
  publicUrl: string;
  link: string;
}): MailText => ({
  subject: 'Choose a new password for Apotheca',
  paragraphs: [
    `Somebody at the address ${about.address} asked for a new password for the user ${about.userName} of Apotheca at ${about.publicUrl}.`,
    `If it was you, choose one here. The link works once, and for ${LINK_MINUTES} minutes; a newer one takes its place.`,
    { link: about.link },
    'If it was not you, do nothing: your password stays as it is. If such mails keep coming, tell your administrator.',
  ],
});

/** That a password was changed. */
export const passwordChangedMail = (about: {
  userName: string;
  by: 'self' | 'link' | { name: string };
  /** Whether the session in which it was changed goes on. */
  sessionStays: boolean;
  /** From where it was changed. */
  address: string;
  publicUrl: string;
  at: Date;
}): MailText => ({
  subject: 'Your password for Apotheca was changed',
  paragraphs: [
    `The password of the user ${about.userName} of Apotheca at ${about.publicUrl} was changed on ${momentInWords(about.at)} ${wordsFor(about.by)}, from the address ${about.address}. ${wordsOfSessions(about)}`,
    'If you expected this, there is nothing to do.',
    'If not, ask for a new password at once and tell your administrator:',
    { link: `${about.publicUrl}/forgot-password` },
  ],
});

/** That somebody's second factor was reset. */
export const factorsResetMail = (about: {
  userName: string;
  /** Who reset it. */
  by: string;
  /** From where. */
  address: string;
  publicUrl: string;
  at: Date;
}): MailText => ({
  subject: 'Your second factor for Apotheca was reset',
  paragraphs: [
    `The second factor of the user ${about.userName} of Apotheca at ${about.publicUrl} was removed on ${momentInWords(about.at)} by ${about.by}, from the address ${about.address}. Its passkeys and recovery codes are gone too, and all open sessions were ended.`,
    'If you expected this, sign in with your password and set up another one.',
    'If not, change your password at once and tell your administrator:',
    { link: about.publicUrl },
  ],
});

function wordsFor(by: 'self' | 'link' | { name: string }): string {
  if (by === 'self') return 'by yourself';
  if (by === 'link') return 'with the link that was mailed to you';
  return `by ${by.name}`;
}

const wordsOfSessions = ({ sessionStays }: { sessionStays: boolean }): string =>
  sessionStays
    ? 'All other sessions were ended: the one in which it was changed goes on, and API keys go on working.'
    : 'All open sessions were ended. API keys go on working.';

const momentInWords = (at: Date): string =>
  `${at.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
