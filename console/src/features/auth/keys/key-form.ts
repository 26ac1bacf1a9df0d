import { API_KEY_DAYS, newApiKeyForm } from '@apotheca/contract/api-keys';
import { calendarDay } from '@apotheca/contract/text';
import { z } from 'zod';
import type { ZodForm } from '../../../components/form/form.tsx';
import { addDays } from '../../../lib/expiry.ts';
import { localDay } from '../../../lib/moment.ts';
import type { KeyOwner } from './key-owner.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** The last day of a key, in the browser's time zone. */
const expiresOn = calendarDay('Last day must be a date');

/** The form of a new key: addresses are lines of a text, and the end is a day. */
export const newKeyFields = z.object({
  name: newApiKeyForm.shape.name,
  scopes: newApiKeyForm.shape.scopes,
  addresses: z.string(),
  expiresOn,
});
export type NewKeyInput = z.input<typeof newKeyFields>;
export type NewKeyFields = z.output<typeof newKeyFields>;
export type NewKeyForm = ZodForm<NewKeyInput, NewKeyFields>;

/** For how many hours the secret before a rotation may stay valid. */
export const OVERLAPS = ['0', '1', '24', '168'] as const;

/** The form of a rotation. */
export const rotationFields = z.object({ overlapHours: z.enum(OVERLAPS, { error: 'Required' }), expiresOn });
export type RotationInput = z.input<typeof rotationFields>;
export type RotationFields = z.output<typeof rotationFields>;

/** The days that a dialog offers, and the latest moment at which a key may end. */
export type KeyDays = ReturnType<typeof dayRange>;

/** Taken once, when the dialog opens: an attempt whose answer was lost is known by being sent again as it was. */
export function dayRange(owner: KeyOwner) {
  const now = new Date();
  const today = localDay(now);
  return {
    first: today,
    suggested: addDays(today, API_KEY_DAYS.default),
    last: addDays(today, daysAtMost(owner)),
    latest: now.getTime() + daysAtMost(owner) * DAY - MINUTE,
  };
}

/** The moment at which a key ends: with its last day, but never later than it may. */
export function endOf(day: string, { last, latest }: KeyDays): string {
  const end = Date.parse(`${day}T23:59:59`);
  return new Date(day === last ? Math.min(end, latest) : end).toISOString();
}

const daysAtMost = ({ isService }: KeyOwner): number => (isService ? API_KEY_DAYS.service : API_KEY_DAYS.person);

export const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
