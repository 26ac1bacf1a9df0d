const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How long ago a moment was, in its largest unit.
 * @example formatAgo('2026-03-04T09:00:00Z', new Date('2026-03-04T12:30:00Z')) // '3 h ago'
 */
export function formatAgo(moment: string, now = new Date()): string {
  const seconds = (now.getTime() - Date.parse(moment)) / 1000;
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ago`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h ago`;
  return `${Math.floor(seconds / DAY)} days ago`;
}
