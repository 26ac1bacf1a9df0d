import { i18n } from '../locales/i18n.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How long ago a moment was, in its largest unit, in the language of the console.
 * @example formatAgo('2026-03-04T09:00:00Z', new Date('2026-03-04T12:30:00Z')) // '3 h ago'
 */
export function formatAgo(moment: string, now = new Date()): string {
  const seconds = (now.getTime() - Date.parse(moment)) / 1000;
  if (seconds < MINUTE) return i18n.t('components.ago.now');
  if (seconds < HOUR) return i18n.t('components.ago.minutes', { amount: Math.floor(seconds / MINUTE) });
  if (seconds < 2 * DAY) return i18n.t('components.ago.hours', { amount: Math.floor(seconds / HOUR) });
  return i18n.t('components.ago.days', { amount: Math.floor(seconds / DAY) });
}
