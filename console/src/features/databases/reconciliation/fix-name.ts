import { FINDINGS, type Finding } from '@apotheca/contract/reconciliation';

/** The text key of what mends a finding; undefined where nothing can. */
export function fixName({ kind }: Finding) {
  const fix = FINDINGS[kind];
  return fix === 'none' ? undefined : (`databases.reconciliation.fixes.${fix}` as const);
}
