import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { type AdoptionPlan, type SourceServer, sourceServer, type TableChoice } from '@apotheca/contract/adoptions';
import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { decrypt, encrypt } from '../../../secrets.ts';
import {
  archivePath,
  createDraft,
  findAbandoned,
  finishDraft,
  removeArchive,
} from '../backups/archive/archive-store.ts';
import { receiveArchive, type SentArchive } from '../backups/archive-upload.ts';
import { planAdoption } from './adoption-plan.ts';
import {
  deleteOldSources,
  findSource,
  type Inspection,
  insertSource,
  listSourceIds,
  type SourceRow,
} from './adoption-sources.repository.ts';
import { countArchived, inspectArchive, readArchiveRows } from './source/archive-source.ts';
import { decoderOf } from './source/encodings.ts';
import type { ForeignDatabase, ForeignTable, OpenSource } from './source/foreign-source.ts';
import { withServer } from './source/server-source.repository.ts';

/** How long an inspection may count rows, in milliseconds. */
const COUNTING_TIME = 60_000;
/** How long another session may keep each table from being read, in milliseconds: a change of its columns may rewrite it. */
const HELD_WITHIN = 60_000;
/** How long an inspected archive is kept, in milliseconds. */
const KEPT_FOR = 24 * 3_600_000;

/** Where archives wait to be adopted. */
export const sourceStore = ({ backupDir }: Pick<Context, 'backupDir'>) => ({ backupDir: join(backupDir, 'adoptions') });

/**
 * Looks into an archive of a database that is not of this platform, and keeps it. It must be readable from start to end.
 * @throws AppError damaged-archive; conflict when its rows cannot be read; invalid when the call needs a SHA-256
 */
export async function inspectUpload(context: Context, actor: Actor, sent: SentArchive): Promise<AdoptionPlan> {
  const store = sourceStore(context);
  const id = randomUUID();
  const path = await createDraft(store, id);
  try {
    const { file, archiveBytes } = await receiveArchive(sent, path);
    const found = await inspectArchive({ path, archiveBytes }, COUNTING_TIME);
    decoderOf(found.encoding);
    await finishDraft(store, id);
    const inspection = { ...found, archiveBytes, sizeBytes: file.sizeBytes };
    const changes = { sha256: file.sha256, sizeBytes: file.sizeBytes };
    return await keepInspection(context, actor, { id, inspection, connection: null }, changes);
  } catch (error) {
    // When this fails, the upkeep does it later.
    await removeArchive(store, id).catch(() => {});
    throw error;
  }
}

/**
 * Looks into a database on a server, and keeps the way to it, encrypted.
 * @throws AppError invalid when its host is not allowed; conflict when it cannot be read
 */
export async function inspectServer(context: Context, actor: Actor, server: SourceServer): Promise<AdoptionPlan> {
  const found = await withServer(
    server,
    context.adoptionHosts,
    async ({ encoding, tables, hasLargeObjects, count }) => {
      decoderOf(encoding);
      const counts = await count(tables, COUNTING_TIME);
      const counted = tables.map((table) => ({ ...table, rows: counts.get(table.id) ?? null }));
      return { encoding, tables: counted, hasLargeObjects };
    },
  );
  const connection = encrypt(context.keys.adoptions, JSON.stringify(server));
  const { password: _, ...changes } = server;
  const inspection = { ...found, archiveBytes: 0, sizeBytes: 0 };
  return keepInspection(context, actor, { id: randomUUID(), inspection, connection }, changes);
}

/** Keeps what was found, with its audit entry. @returns the plan as the names suggest it */
async function keepInspection(
  context: Context,
  actor: Actor,
  { id, inspection, connection }: { id: string; inspection: Found; connection: Buffer | null },
  changes: Record<string, unknown>,
): Promise<AdoptionPlan> {
  const tables = inspection.tables.map(({ id: number, schema, name, columns, rows }) => ({
    id: number,
    schema,
    name,
    columns: [...columns],
    rows,
  }));
  const kept: Inspection = { ...inspection, tables };
  // By the clock that it is removed by, where that is trusted: else the upkeep would take it for old where this process's own is ahead.
  const createdAt = (await context.trustedNow()) ?? context.now();
  await context.platform.transaction().execute(async (trx) => {
    await insertSource(trx, { id, inspection: kept, connection, createdAt });
    await appendAudit(context, trx, {
      actor,
      action: 'databases.inspect',
      entity: 'databases',
      entityId: id,
      changes: { ...changes, tableCount: tables.length },
    });
  });
  return planAdoption(id, kept, []);
}

type Found = ForeignDatabase & Omit<Inspection, 'tables'>;

/**
 * Runs `work` with an inspected database opened.
 * @param read the tables whose rows are read: on a server they are held meanwhile
 * @throws AppError damaged-archive, conflict
 */
export async function withSource<T>(
  context: Context,
  { source, read }: { source: SourceRow; read: readonly ForeignTable[] },
  signal: AbortSignal,
  work: (source: OpenSource) => Promise<T>,
): Promise<T> {
  if (source.connection) {
    const server = sourceServer.parse(JSON.parse(decrypt(context.keys.adoptions, source.connection)));
    const inspected = source.tables.map(({ id }) => id);
    const compared = (open: OpenSource) => {
      if (open.tables.some(({ id }) => !inspected.includes(id)) || open.tables.length !== inspected.length) {
        throw new AppError('conflict', { message: 'The database has other tables now: please inspect it again.' });
      }
      return work(open);
    };
    return withServer(server, context.adoptionHosts, compared, { signal, held: { tables: read, within: HELD_WITHIN } });
  }
  const file = { path: archivePath(sourceStore(context), source.id), archiveBytes: source.archiveBytes };
  return work({ ...source, read: readArchiveRows(file, signal), count: countArchived(file, signal) });
}

/** An inspected database. @throws AppError not-found */
export async function getSource({ platform }: Pick<Context, 'platform'>, id: string): Promise<SourceRow> {
  const source = await findSource(platform, id);
  if (!source) throw noSource();
  return source;
}

/** The error for an inspection that is no longer kept, or never was. */
export const noSource = () =>
  new AppError('not-found', {
    message: 'This inspection is gone: it is kept for a day. Please inspect it again.',
  });

/** What would become of an inspected database. @throws AppError not-found; invalid when a choice names what is not there */
export async function getPlan(
  context: Pick<Context, 'platform'>,
  { id, tables }: { id: string; tables: readonly TableChoice[] },
): Promise<AdoptionPlan> {
  return planAdoption(id, await getSource(context, id), tables);
}

/**
 * Forgets inspections that are older than a day, unless no clock is trusted, and removes archives that belong to none, once they are
 * {@link findAbandoned abandoned}.
 */
export async function removeOldSources(context: Context): Promise<void> {
  const trusted = await context.trustedNow();
  if (trusted) await deleteOldSources(context.platform, trusted, KEPT_FOR);
  const store = sourceStore(context);
  const abandoned = await findAbandoned(store.backupDir, await readdir(store.backupDir).catch(() => []));
  const known = new Set(await listSourceIds(context.platform));
  for (const { name: id } of abandoned.map((name) => parse(name))) {
    if (!known.has(id)) await removeArchive(store, id);
  }
}
