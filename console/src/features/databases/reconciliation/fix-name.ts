import { FINDINGS, type Finding } from '@apotheca/contract/reconciliation';

/** The text key of the fix of a finding; undefined where there is no fix. */
export function fixName({ kind }: Finding) {
  const fix = FINDINGS[kind];
  return fix === 'none' ? undefined : (`databases.reconciliation.fixes.${fix}` as const);
}
