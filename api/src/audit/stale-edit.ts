import type { MeanwhileChange, StaleRecord } from '@apotheca/contract/version';
import type { Platform } from '../db/platform.ts';
import { AppError } from '../errors.ts';
import { listVersionSteps, type VersionStep } from './audit.repository.ts';

/**
 * Refuses to overwrite a newer version of a record, and says who changed what since the edit began. The caller's transaction has
 * locked the record. The audit trail has each of its changes, as `changedVersion` gives them.
 * @param record `present`: fields, in the contract's names, as they are now, where the trail keeps only the beginning, another form or
 *   nothing; `names`: the contract's names of fields that the trail has under others; `fields`: those that the caller may read, in the
 *   contract's names; absent: all
 * @param sent the record's version when the edit began; absent: the edit overwrites it
 * @throws AppError stale
 */
export async function refuseStale(
  platform: Platform,
  record: {
    entity: string;
    id: string;
    version: number;
    present?: Record<string, unknown>;
    names?: Readonly<Record<string, string>>;
    fields?: readonly string[];
  },
  sent: number | undefined,
): Promise<void> {
  if (sent === undefined || sent === record.version) return;
  const changes = changesOf(await listVersionSteps(platform, record, sent), record);
  const people = [...new Set(changes.map(({ by }) => by))].join(', ') || 'Somebody else';
  const result: StaleRecord = { version: record.version, changes };
  throw new AppError('stale', { message: `${people} changed this meanwhile. Nothing was saved yet.`, result });
}

/** Each field once: as it was before the first step and after the last one. */
function changesOf(
  steps: VersionStep[],
  {
    present = {},
    names = {},
    fields: readable,
  }: Pick<Parameters<typeof refuseStale>[1], 'present' | 'names' | 'fields'>,
): MeanwhileChange[] {
  const changes = new Map<string, MeanwhileChange>();
  for (const { at, actorName, changes: fields } of steps) {
    for (const [noted, change] of Object.entries(fields)) {
      const field = names[noted] ?? noted;
      if (noted === 'version' || readable?.includes(field) === false) continue;
      const [before, after] = Array.isArray(change) ? change : [];
      const first = changes.get(field);
      changes.set(field, {
        field,
        before: first ? first.before : before,
        after: field in present ? present[field] : after,
        by: actorName,
        onUtc: at.toISOString(),
      });
    }
  }
  return [...changes.values()];
}
