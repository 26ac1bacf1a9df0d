import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type pg from 'pg';
import type { Context } from '../../../context.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { cancellable } from '../../../operations/cancellable.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import { countTables, getSchemaVersion } from '../tenant-database/counts.repository.ts';
import { dumpArchive, readContents } from './archive/archive.ts';
import { refuseIncomplete } from './archive/archive-loading.ts';
import { listPublicSequences, listPublicTables } from './loading.repository.ts';
import { inSnapshot, measureTables } from './snapshot.repository.ts';

/** What the snapshot of an archive contains. */
export interface DumpedDatabase {
  schemaVersion: number;
  /** Rows by table. */
  rowCounts: Record<string, number>;
}

/**
 * Writes an archive of a database, counts the rows in the same snapshot, and refuses an archive that no restore would accept.
 * @param path an existing file, whose content is replaced
 * @param readMore reads more in the same snapshot
 */
export async function dumpDatabase(
  context: Context,
  physicalName: string,
  path: string,
  { signal, progress }: Pick<Run, 'signal' | 'progress'>,
  readMore: (client: pg.Client) => Promise<void> = async () => {},
): Promise<DumpedDatabase> {
  const tools = await context.findTools();
  const url = withDatabaseName(context.databaseUrl, physicalName);
  const inside = (client: pg.Client): Promise<DumpedDatabase> =>
    inSnapshot(client, async (snapshot) => {
      const onTable = progressBySize(await measureTables(client), progress);
      const failed = new AbortController();
      const stop = AbortSignal.any([signal, failed.signal]);
      const dumping = dumpArchive(tools, { url, snapshot, path, signal: stop, onTable });
      try {
        const [dumped] = await Promise.all([readSnapshot(client, readMore), dumping]);
        refuseIncomplete(
          await readContents(tools, path, stop),
          await listPublicTables(client),
          await listPublicSequences(client),
        );
        return dumped;
      } catch (error) {
        failed.abort(error);
        await dumping.catch(() => {});
        throw error;
      }
    });
  const work = (client: pg.Client) => cancellable({ context, signal }, processIdOf(client), () => inside(client));
  return context.tenants.with(physicalName, work, { unlimited: true });
}

async function readSnapshot(
  client: pg.Client,
  readMore: (client: pg.Client) => Promise<void>,
): Promise<DumpedDatabase> {
  const schemaVersion = await getSchemaVersion(client);
  const tables = await countTables(client, TENANT_TABLE_NAMES);
  await readMore(client);
  return { schemaVersion, rowCounts: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])) };
}

/** Reports progress by the tables' sizes, each time that pg_dump begins a table. */
function progressBySize(
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
