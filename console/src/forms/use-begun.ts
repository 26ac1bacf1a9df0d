import { useState } from 'react';

const whole = (item: unknown) => item;

/**
 * The record that an edit began with, in a form that stays open: it follows the newest while nothing is typed. Once something is, it stays,
 * so that typed values do, and saving finds out that somebody else has changed the record: a newest one whose fields are the same is followed.
 * @param fieldsOf what the form changes of the record; absent: all of it
 * @returns the record, and what is told in each rendering whether something is typed
 */
export function useBegun<Item>(
  newest: Item,
  fieldsOf: (item: Item) => unknown = whole,
): { begun: Item; followUnless: (isDirty: boolean) => void } {
  const [begun, setBegun] = useState(newest);
  const followUnless = (isDirty: boolean) => {
    if (begun === newest) return;
    if (!isDirty || JSON.stringify(fieldsOf(begun)) === JSON.stringify(fieldsOf(newest))) setBegun(newest);
  };
  return { begun, followUnless };
}
