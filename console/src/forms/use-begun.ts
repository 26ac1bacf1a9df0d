import { useState } from 'react';

/**
 * The record that an edit began with, in a form that stays open: it follows the newest while nothing is typed. Once something is, it stays,
 * so that typed values do, and saving finds out that somebody else has changed the record.
 * @returns the record, and what is told in each rendering whether something is typed
 */
export function useBegun<Item>(newest: Item): { begun: Item; followUnless: (isDirty: boolean) => void } {
  const [begun, setBegun] = useState(newest);
  const followUnless = (isDirty: boolean) => {
    if (!isDirty && begun !== newest) setBegun(newest);
  };
  return { begun, followUnless };
}
