import type { StatsFs } from 'node:fs';
import { dirname } from 'node:path';
import {
  FINDING_KINDS,
  type Finding,
  type FindingKind,
  type FindingRecord,
  SNOOZE_LIMITS,
} from '@apotheca/contract/findings';
import type { Actor, Caller } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { statDisk } from '../../db/embedded/disk-room.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import { AppError, fieldError } from '../../errors.ts';
import { utcDay } from '../../wording.ts';
import { readArchiveState } from '../databases/point-in-time/wal-archive.service.ts';
import {
  countFindings,
  deleteEndedSnoozes,
  deleteSnooze,
  listFindingRecords,
  type MeasuredFinding,
  type Present,
  saveSnoozes,
} from './findings.repository.ts';

/** A disk is full for a person when less than this part of it is free: there is time to act. */
const FREE_PART = 0.1;
const GIGABYTE = 1_000_000_000;
/** How many ids of what is snoozed an audit entry has. */
const AUDITED_IDS = 100;
const ORDER = Object.keys(FINDING_KINDS);

/** What failed, what runs and what needs a person: the kinds that have records, the most urgent first (decision 063). */
export async function listFindings(context: Context): Promise<Finding[]> {
  const found = await countFindings(context.pool, await look(context));
  return found.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** All records of a kind, those that are snoozed last. */
export async function getFindingRecords(context: Context, kind: FindingKind): Promise<FindingRecord[]> {
  return listFindingRecords(context.pool, kind, await look(context));
}

/**
 * Leaves records out of the dashboard until the end of a day in UTC, but those that are left out already: somebody has said until when and why.
 * @throws AppError invalid for a day that has passed or is too far
 */
export async function snoozeFindings(
  context: Context,
  caller: Caller,
  actor: Actor,
  { kind, ids, until, reason }: { kind: FindingKind; ids: readonly string[]; until: string; reason: string },
): Promise<{ snoozed: number }> {
  const now = context.now();
  const last = utcDay(now, SNOOZE_LIMITS.days);
  if (until < utcDay(now)) throw fieldError('invalid', 'until', 'This day has passed');
  if (until > last) throw fieldError('invalid', 'until', `The day should not be after ${last}`);
  return context.platform.transaction().execute(async (trx) => {
    await deleteEndedSnoozes(trx, utcDay(now));
    const saved = new Set(await saveSnoozes(trx, { kind, ids, until, reason, by: caller.id, now }));
    const count = saved.size;
    if (count === 0) return { snoozed: 0 };
    // The entry stays for ever, and each page of the trail that has it sends it whole.
    const records = [...new Set(ids)]
      .filter((id) => saved.has(id))
      .slice(0, AUDITED_IDS)
      .join(', ');
    const event = { actor, action: 'dashboard.snooze', entity: 'findings', entityId: kind };
    await appendAudit(context, trx, {
      ...event,
      changes: { records, ...(count > AUDITED_IDS && { count }), until, reason },
    });
    return { snoozed: count };
  });
}

/** Ends the snooze of a record. @throws AppError not-found where it is not snoozed */
export async function wakeFinding(
  context: Context,
  actor: Actor,
  { kind, id }: { kind: FindingKind; id: string },
): Promise<{ id: string }> {
  return context.platform.transaction().execute(async (trx) => {
    if (!(await deleteSnooze(trx, kind, id))) throw new AppError('not-found', { message: 'This is not snoozed.' });
    const event = { actor, action: 'dashboard.wake', entity: 'findings', entityId: kind };
    await appendAudit(context, trx, { ...event, changes: { records: id } });
    return { id };
  });
}

async function look(context: Context): Promise<Present> {
  const measured = await Promise.all([findFullDisks(context), findBrokenArchive(context)]);
  const [now, schemaVersion, key] = [context.now(), newestTenantSchemaVersion(), context.keys.typedNames];
  return { now, schemaVersion, measured: measured.flat(), key };
}

/** The disks of this machine that are nearly full, or cannot be looked at: of the backups, and of the embedded PostgreSQL. */
async function findFullDisks({ backupDir, clusterDir }: Context): Promise<MeasuredFinding[]> {
  const folders = [
    { id: 'backups', name: 'Disk of the backups', folder: backupDir },
    ...(clusterDir === undefined ? [] : [{ id: 'postgresql', name: "PostgreSQL's disk", folder: clusterDir }]),
  ];
  const found = await Promise.all(
    folders.map(async ({ id, name, folder }) => {
      const detail = await statFolder(folder).then(describeFull, (error: NodeJS.ErrnoException) => {
        // Such as a network's disk that is away or silent: just then the other findings are needed.
        return `The folder cannot be looked at (${error.code}).`;
      });
      return detail === undefined ? [] : [{ kind: 'disk-full' as const, id, name, detail }];
    }),
  );
  return found.flat();
}

/** How full a disk is; undefined where there is room. */
function describeFull({ bavail, blocks, bsize }: StatsFs): string | undefined {
  if (bavail >= FREE_PART * blocks) return undefined;
  const [free, all] = [bavail, blocks].map((count) => `${((count * bsize) / GIGABYTE).toFixed(1)} GB`);
  return `${free} of ${all} are free`;
}

/** The disk of a folder, which may be made only when it is first written to. */
const statFolder = (folder: string): Promise<StatsFs> =>
  statDisk(folder).catch((error: NodeJS.ErrnoException) => {
    const parent = dirname(folder);
    if (error.code === 'ENOENT' && parent !== folder) return statFolder(parent);
    throw error;
  });

/** Whether changes are no longer archived, or the cluster no longer backed up, though that was asked for. */
async function findBrokenArchive(context: Context): Promise<MeasuredFinding[]> {
  const { warning } = await readArchiveState(context);
  if (!warning) return [];
  return [{ kind: 'archive-broken', id: 'archive', name: 'Archive of changes', detail: warning }];
}
