import { stat } from 'node:fs/promises';
import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type pg from 'pg';
import type { Context } from '../../../context.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { AppError } from '../../../errors.ts';
import { cancellable } from '../../../operations/cancellable.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import { inWords } from '../../../wording.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { getSchemaVersion } from '../tenant-database/counts.repository.ts';
import { dumpArchive, refuseOldVersion } from './archive/archive.ts';
import { refuseIncomplete } from './archive/archive-loading.ts';
import type { Manifest } from './archive/archive-manifest.ts';
import { additionalObjects, isPlatformObject, isPlatformTable, readEntries } from './archive/archive-objects.ts';
import { readChecksums } from './checksums.repository.ts';
import { listPublicSequences, listPublicTables } from './loading.repository.ts';
import { readPrivileges } from './privileges.repository.ts';
import { countLargeObjects, inSnapshot, measureTables } from './snapshot.repository.ts';

/** What the snapshot of an archive contains. */
export interface DumpedDatabase {
  /** What was committed until then is in it. */
  takenAt: Date;
  schemaVersion: number;
  /** Rows by table. */
  rowCounts: Record<string, number>;
  manifest: Manifest;
}

/**
 * Writes an archive of a database, reads its manifest in the same snapshot, and refuses an archive that no restore would accept. One of a database that
 * a newer version has upgraded is kept: that version restores it.
 * @param path an existing file, whose content is replaced
 * @param readMore reads more in the same snapshot
 */
export async function dumpDatabase(
  context: Context,
  { roleName, ...place }: Pick<DatabaseRow, 'serverId' | 'physicalName' | 'roleName'>,
  path: string,
  { signal, progress }: Pick<Run, 'signal' | 'progress'>,
  readMore: (client: pg.Client) => Promise<void> = async () => {},
): Promise<DumpedDatabase> {
  const tools = await context.findTools(place.serverId);
  const server = await context.clusters.of(place.serverId);
  const url = withDatabaseName(server.url, place.physicalName);
  const inside = (client: pg.Client, takenAt: Date): Promise<DumpedDatabase> =>
    inSnapshot(client, async (snapshot) => {
      const onTable = progressBySize(await measureTables(client), progress);
      const failed = new AbortController();
      const stop = AbortSignal.any([signal, failed.signal]);
      const dumping = dumpArchive(tools, { url, snapshot, path, signal: stop, onTable });
      try {
        const [dumped] = await Promise.all([readSnapshot(client, roleName, readMore), dumping]);
        refuseOldVersion(dumped.schemaVersion);
        const { size } = await stat(path);
        const entries = await readEntries(path, size);
        const isPlatform = (kind: string) => (name: string) => isPlatformObject({ kind, schema: 'public', name });
        refuseIncomplete(
          entries.values(),
          (await listPublicTables(client)).filter(isPlatform('TABLE')),
          (await listPublicSequences(client)).filter(isPlatform('SEQUENCE')),
        );
        return { takenAt, ...dumped, manifest: { ...dumped.manifest, objects: additionalObjects(entries) } };
      } catch (error) {
        failed.abort(error);
        await dumping.catch(() => {});
        throw error;
      }
    });
  const work = (client: pg.Client) =>
    cancellable({ server, signal }, processIdOf(client), () => inside(client, context.now()));
  return context.tenants.with(place, work, { unlimited: true });
}

async function readSnapshot(
  client: pg.Client,
  roleName: string,
  readMore: (client: pg.Client) => Promise<void>,
): Promise<Omit<DumpedDatabase, 'takenAt'>> {
  const schemaVersion = await getSchemaVersion(client);
  const privileges = await readPrivileges(client, roleName);
  const largeObjects = await countLargeObjects(client);
  await readMore(client);
  const tables = await readChecksums(client);
  const platformTables = tables.filter((table) => table.schema === 'public' && isPlatformTable(table));
  refuseMissingTables(platformTables.map(({ name }) => name));
  return {
    schemaVersion,
    rowCounts: Object.fromEntries(platformTables.map(({ name, rows }) => [name, rows])),
    manifest: { version: 2, tables, objects: [], privileges, largeObjects },
  };
}

/** Refuses a database from whose backup nothing could be restored. @throws AppError conflict */
function refuseMissingTables(present: readonly string[]): void {
  const missing = TENANT_TABLE_NAMES.filter((name) => !present.includes(name));
  if (missing.length === 0) return;
  const message = `The database lacks ${inWords(missing)}: no restore would accept its backup.`;
  throw new AppError('conflict', { message });
}

/** Reports progress by the tables' sizes, each time that pg_dump or pg_restore begins a table. */
export function progressBySize(
  sizes: ReadonlyMap<string, number>,
  progress: (fraction: number) => void,
): (table: string) => void {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let done = 0;
  let current = 0;
  return (table) => {
    done += current;
    current = sizes.get(table) ?? 0;
    if (total > 0) progress(done / total);
  };
}
