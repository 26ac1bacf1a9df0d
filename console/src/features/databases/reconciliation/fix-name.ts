import { FINDINGS, type Finding } from '@apotheca/contract/reconciliation';

/** The text key of the fix of a finding; undefined where there is no fix. */
export function fixName({ kind, ...finding }: Finding) {
  const fix = FINDINGS[kind];
  return finding.fix === 'none' || fix === 'none' ? undefined : (`databases.reconciliation.fixes.${fix}` as const);
}
