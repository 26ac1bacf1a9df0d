import { localMinute } from '../../../lib/expiry.ts';

/** A moment in the browser's time zone as a field of type datetime-local has it, cut to its second. @param moment in milliseconds since 1970 */
export function localSecond(moment: number): string {
  const date = new Date(moment);
  return `${localMinute(date).replace(' ', 'T')}:${String(date.getSeconds()).padStart(2, '0')}`;
}
