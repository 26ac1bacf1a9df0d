import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { ProgramError } from '../../../../db/client-programs/client-program.ts';
import { isDatabaseAway } from '../../../../db/errors/postgres-errors.ts';
import type { Run } from '../../../../operations/operation-kind.ts';
import type { DatabaseRow } from '../../databases.repository.ts';
import { connectionStringOf } from '../../databases.service.ts';
import { type ArchiveContents, type ArchiveEntry, damaged, loadArchive } from './archive.ts';
import { openEntryList } from './archive-store.ts';

/** Sessions that load rows at a time. */
const LOADERS = 2;
/** From this run on pg_restore is no longer believed that PostgreSQL went away, where that answers. */
const RUNS_BELIEVED = 3;

export interface RestorableArchive extends ArchiveContents {
  path: string;
  /** Rows by table; null where nobody knows. */
  rowCounts: Record<string, number> | null;
}

/** The rows of the 37 tables, those of the platform's permissions, and what identities count. */
export function isLoaded({ kind, schema, name }: ArchiveEntry): boolean {
  if (kind === 'SEQUENCE SET') return schema === 'public';
  if (schema === 'apotheca') return name === 'permissions';
  return schema === 'public' && TENANT_TABLE_NAMES.some((table) => table === name);
}

/** Every table and every identity of its version must be there once: what is missing in a table of contents loads as nothing. @throws AppError damaged-archive */
export function refuseIncomplete(
  { entries }: ArchiveContents,
  tables: readonly string[],
  sequences: readonly string[],
): void {
  const listed = entries.filter(({ schema }) => schema === 'public');
  const namesOf = (kind: ArchiveEntry['kind']) => listed.filter((entry) => entry.kind === kind).map(({ name }) => name);
  refuseUnlessOnce('the rows', namesOf('TABLE DATA'), tables);
  refuseUnlessOnce('the identity', namesOf('SEQUENCE SET'), sequences);
}

function refuseUnlessOnce(what: string, listed: readonly string[], expected: readonly string[]): void {
  const missing = expected.filter((name) => !listed.includes(name));
  if (missing.length > 0) throw damaged(`The archive lacks ${what} of ${missing.join(', ')}.`);
  const twice = expected.filter((name) => listed.indexOf(name) !== listed.lastIndexOf(name));
  if (twice.length > 0) throw damaged(`The archive has ${what} of ${twice.join(', ')} twice.`);
}

/**
 * Loads an archive's rows as the role of their database, over several sessions, each with its share of the entries. All end when one
 * fails.
 * @throws AppError damaged-archive
 */
export async function loadArchiveRows(run: Run, row: DatabaseRow, archive: RestorableArchive): Promise<void> {
  const { context, signal, progress } = run;
  const tools = await context.findTools();
  const url = connectionStringOf(context, row);
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const onTable = countUp(archive, progress);
  const sessions: Promise<void>[] = [];
  for (const entries of sharesOf(archive)) {
    const list = await openEntryList(
      context,
      row.id,
      entries.map(({ id }) => id),
    );
    const loading = loadArchive(tools, { url, path: archive.path, list, signal: stop, onTable });
    sessions.push(loading.catch((error: unknown) => failed.abort(error)).finally(() => list.close()));
  }
  await Promise.all(sessions);
  if (failed.signal.aborted) throw await reasonOf(run, row, failed.signal.reason);
}

/**
 * Why rows could not be loaded. An archive's SQL can make pg_restore say that PostgreSQL went away, and can end its session: that is no
 * reason to begin anew again and again. @throws what keeps PostgreSQL from answering
 */
async function reasonOf({ context, attempt }: Run, { physicalName }: DatabaseRow, error: unknown): Promise<unknown> {
  if (!(error instanceof ProgramError) || !isDatabaseAway(error) || attempt < RUNS_BELIEVED) return error;
  await context.tenants.with(physicalName, (client) => client.query('select'), { unlimited: true });
  return damaged(
    `pg_restore says that PostgreSQL went away, in the last of ${attempt} runs too, but PostgreSQL answers. The archive may be damaged, or made to do that. ${error.message}`,
  );
}

/** Shares the entries that are loaded out, so that each session has about as many rows; the order of the archive stays. */
function sharesOf(archive: RestorableArchive): ArchiveEntry[][] {
  const loaded = archive.entries.filter(isLoaded);
  const shares = Array.from({ length: LOADERS }, () => ({ weight: 0, entries: new Set<ArchiveEntry>() }));
  for (const entry of loaded.toSorted((one, two) => weightIn(archive, two.name) - weightIn(archive, one.name))) {
    const share = shares.reduce((least, other) => (other.weight < least.weight ? other : least));
    share.weight += weightIn(archive, entry.name);
    share.entries.add(entry);
  }
  return shares.map(({ entries }) => loaded.filter((entry) => entries.has(entry)));
}

const weightIn = ({ rowCounts }: RestorableArchive, table: string): number => 1 + (rowCounts?.[table] ?? 0);

/** Turns tables that are begun into progress, by their rows where they are known: each session has one that is not done. */
function countUp(archive: RestorableArchive, progress: Run['progress']): (table: string) => void {
  const total = archive.entries.filter(isLoaded).reduce((sum, { name }) => sum + weightIn(archive, name), 0);
  const underWay: string[] = [];
  let done = 0;
  return (table) => {
    underWay.push(table);
    const ended = underWay.length > LOADERS ? underWay.shift() : undefined;
    if (ended === undefined) return;
    done += weightIn(archive, ended);
    progress(Math.min(1, done / total));
  };
}
