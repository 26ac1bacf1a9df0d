import { FINDINGS, type Finding } from '@apotheca/contract/reconciliation';

/** The text key of the fix of a finding; undefined where there is no fix, or one that only a newer server knows. */
export function fixName({ kind, ...finding }: Finding) {
  const fix = Object.hasOwn(FINDINGS, kind) ? FINDINGS[kind] : 'none';
  return finding.fix === 'none' || fix === 'none' ? undefined : (`databases.reconciliation.fixes.${fix}` as const);
}
