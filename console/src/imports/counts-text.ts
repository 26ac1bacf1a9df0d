import type { ImportOutcome, ImportResult } from '@apotheca/contract/imports';
import type { TFunction } from 'i18next';
import { formatList } from '../locales/formats.ts';

/** How many rows have, or would have, each outcome. */
export type Counts = [word: ImportOutcome | ImportResult, count: number][];

/** Counts in a sentence: '12 will be created, 3 will be changed and one row is refused.' */
export function countsText(t: TFunction, counts: Counts): string {
  const parts = counts.filter(([, count]) => count > 0).map(([word, count]) => t(`imports.counts.${word}`, { count }));
  return `${formatList(parts)}.`;
}
