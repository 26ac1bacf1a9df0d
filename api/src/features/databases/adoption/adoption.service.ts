import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { AdoptionPlan, TableChoice } from '@apotheca/contract/adoptions';
import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { verifyBlocks } from '../backups/archive/archive-blocks.ts';
import { verifySeal } from '../backups/archive/archive-seal.ts';
import { archivePath, createDraft, finishDraft, removeArchive } from '../backups/archive/archive-store.ts';
import { receive, refuseWithoutChecksums, refuseWrongDigest } from '../backups/backups.service.ts';
import { planAdoption } from './adoption-plan.ts';
import {
  deleteOldSources,
  findSource,
  type Inspection,
  insertSource,
  listSourceIds,
} from './adoption-sources.repository.ts';
import { inspectArchive } from './source/archive-source.ts';
import { decoderOf } from './source/encodings.ts';

/** How long an inspection may count rows, in milliseconds. */
const COUNTING_TIME = 60_000;
/** How long an inspected archive is kept, and a file that belongs to none, in milliseconds. */
const KEPT_FOR = 24 * 3_600_000;
const ABANDONED_AFTER = 3_600_000;

/** Where archives wait to be adopted. */
export const sourceStore = ({ backupDir }: Pick<Context, 'backupDir'>) => ({ backupDir: join(backupDir, 'adoptions') });

/** An archive, and what the call says about it. */
interface SentArchive {
  content: Readable;
  /** Lower-case hex; empty when the call has none. */
  sha256: string;
  /** Checks the caller's session and permission again when the upload is complete. */
  recheckPermission(): Promise<void>;
}

/**
 * Looks into an archive of a database that is not of this platform, and keeps it. It must be readable from start to end.
 * @throws AppError damaged-archive; conflict when its rows cannot be read; invalid when the call needs a SHA-256
 */
export async function inspectUpload(
  context: Context,
  actor: Actor,
  { content, sha256, recheckPermission }: SentArchive,
): Promise<AdoptionPlan> {
  const store = sourceStore(context);
  const id = randomUUID();
  const path = await createDraft(store, id);
  try {
    const file = await receive(content, path);
    await recheckPermission();
    refuseWrongDigest(file.sha256, sha256);
    const { isSealed, archiveBytes } = await verifySeal(path);
    const compression = await verifyBlocks(path, archiveBytes);
    if (!isSealed && sha256 === '') refuseWithoutChecksums(compression);
    const found = await inspectArchive({ path, archiveBytes }, COUNTING_TIME);
    decoderOf(found.encoding);
    const inspection: Inspection = {
      encoding: found.encoding,
      archiveBytes,
      sizeBytes: file.sizeBytes,
      tables: found.tables.map((table) => ({ ...table, columns: [...table.columns] })),
    };
    await finishDraft(store, id);
    await context.platform.transaction().execute(async (trx) => {
      await insertSource(trx, { id, inspection, createdAt: context.now() });
      const changes = { sha256: file.sha256, sizeBytes: file.sizeBytes, tables: found.tables.length };
      await appendAudit(context, trx, {
        actor,
        action: 'databases.inspect',
        entity: 'databases',
        entityId: id,
        changes,
      });
    });
    return planAdoption(id, inspection, []);
  } catch (error) {
    // When this fails, the upkeep does it later.
    await removeArchive(store, id).catch(() => {});
    throw error;
  }
}

/** An inspected database. @throws AppError not-found */
export async function getSource({ platform }: Pick<Context, 'platform'>, id: string): Promise<Inspection> {
  const source = await findSource(platform, id);
  if (!source) throw noSource();
  return source;
}

export const noSource = () =>
  new AppError('not-found', {
    message: 'This inspection is gone: it is kept for a day. Please upload the archive again.',
  });

/** What would become of an inspected database. @throws AppError not-found; invalid when a choice names what is not there */
export async function getPlan(
  context: Pick<Context, 'platform'>,
  { id, tables }: { id: string; tables: readonly TableChoice[] },
): Promise<AdoptionPlan> {
  return planAdoption(id, await getSource(context, id), tables);
}

/** Forgets inspections that are older than a day, and removes archives that belong to none. */
export async function removeOldSources(context: Context): Promise<void> {
  await deleteOldSources(context.platform, new Date(context.now().getTime() - KEPT_FOR));
  const store = sourceStore(context);
  const known = new Set(await listSourceIds(context.platform));
  for (const name of await readdir(store.backupDir).catch(() => [])) {
    const [id = ''] = name.split('.');
    if (known.has(id)) continue;
    const file = await stat(join(store.backupDir, name)).catch(() => undefined);
    if (file && Date.now() - file.mtimeMs > ABANDONED_AFTER) await removeArchive(store, id);
  }
}

/** The file of an inspected archive. */
export const sourceFile = (context: Context, id: string, { archiveBytes }: Inspection) => ({
  path: archivePath(sourceStore(context), id),
  archiveBytes,
});
