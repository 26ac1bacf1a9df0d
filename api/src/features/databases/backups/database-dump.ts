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

/** What the snapshot held that an archive was made of. */
export interface DumpedDatabase {
  schemaVersion: number;
  /** By table. */
  rowCounts: Record<string, number>;
}

/**
 * Writes a database into a file, counts its rows in the very snapshot that is written, and reads what the file lists.
 * @param path file whose content is replaced
 * @param readMore runs in that snapshot too
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
      const onTable = weigh(await measureTables(client), progress);
      const failed = new AbortController();
      const stop = AbortSignal.any([signal, failed.signal]);
      const dumping = dumpArchive(tools, { url, snapshot, path, signal: stop, onTable });
      try {
        const [dumped] = await Promise.all([describe(client, readMore), dumping]);
        // What no restore would accept is no backup.
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

async function describe(client: pg.Client, readMore: (client: pg.Client) => Promise<void>): Promise<DumpedDatabase> {
  const schemaVersion = await getSchemaVersion(client);
  const tables = await countTables(client, TENANT_TABLE_NAMES);
  await readMore(client);
  return { schemaVersion, rowCounts: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])) };
}

/** Turns tables that are begun one after another into progress, by their weight. */
function weigh(weights: ReadonlyMap<string, number>, progress: (fraction: number) => void): (table: string) => void {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  let done = 0;
  let present = 0;
  return (table) => {
    done += present;
    present = weights.get(table) ?? 0;
    if (total > 0) progress(done / total);
  };
}
