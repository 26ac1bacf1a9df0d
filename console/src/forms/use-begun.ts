import { useState } from 'react';

const whole = (item: unknown) => item;

/**
 * What a form that follows what it saved gives to `useZodForm` beside `values`: without it, what was typed while it was being saved would
 * be replaced by the answer.
 */
export const KEEP_TYPED = { resetOptions: { keepDirtyValues: true } };

/**
 * The record that an edit began with, in a form that stays open: it follows the newest while nothing is typed. Once something is, it stays,
 * so that typed values do, and saving finds out that somebody else has changed the record: a newest one whose fields are the same is followed.
 * @param fieldsOf what the form changes of the record; absent: all of it
 * @returns the record; what is told in each rendering whether something is typed; and what is given a record that this form has just saved: the
 * next edit begins with it, also while the newest is still what was before
 */
export function useBegun<Item>(
  newest: Item,
  fieldsOf: (item: Item) => unknown = whole,
): { begun: Item; followUnless: (isDirty: boolean) => void; follow: (saved: Item) => void } {
  const [{ begun, before }, setBegun] = useState<{ begun: Item; before?: Item }>({ begun: newest });
  const followUnless = (isDirty: boolean) => {
    if (newest === begun || newest === before) return;
    if (!isDirty || JSON.stringify(fieldsOf(begun)) === JSON.stringify(fieldsOf(newest))) setBegun({ begun: newest });
  };
  return { begun, followUnless, follow: (saved) => setBegun({ begun: saved, before: newest }) };
}
