import { i18n } from '../locales/i18n.ts';

/**
 * A duration in its two largest units, in the language of the console.
 * @example formatDuration(125) // '2 min 5 s'
 * @example formatDuration(0.3) // 'less than a second'
 */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return i18n.t('components.lessThanSecond');
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}
