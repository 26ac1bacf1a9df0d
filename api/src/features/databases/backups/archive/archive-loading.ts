import { ProgramError } from '../../../../db/client-programs/client-program.ts';
import { isDatabaseAway } from '../../../../db/errors/postgres-errors.ts';
import type { Run } from '../../../../operations/operation-kind.ts';
import type { DatabaseRow } from '../../databases.repository.ts';
import { connectionStringOf } from '../../databases.service.ts';
import { type ArchiveContents, type ArchiveEntry, loadArchive, loadObjects } from './archive.ts';
import type { Manifest } from './archive-manifest.ts';
import { type AdditionalObject, isPlatformObject } from './archive-objects.ts';
import { openEntryList } from './archive-store.ts';
import { damaged } from './damaged-archive.ts';

/** How many sessions load rows at a time. */
const LOADERS = 2;
/** From this run on, it is checked whether PostgreSQL is really away when pg_restore says so. */
const CHECKED_FROM_RUN = 3;

export interface RestorableArchive extends ArchiveContents {
  path: string;
  /** Rows by table; null for an uploaded archive, whose rows were never counted. */
  rowCounts: Record<string, number> | null;
  /** null: of an archive from elsewhere, or of an earlier version of the platform. */
  manifest: Manifest | null;
  /** What is restored beyond the platform's own schema, in the archive's order. */
  additional: readonly AdditionalObject[];
}

/** Whether a restore loads an entry: rows of the 37 tables and of the permissions, and the values of identities' sequences. */
const isLoaded = (entry: ArchiveEntry): boolean =>
  isPlatformObject(entry) && (entry.schema === 'public' || entry.name === 'permissions');

/**
 * Refuses an archive that does not list every table and every identity of its schema version exactly once: pg_restore would leave a
 * missing one empty without an error.
 * @throws AppError damaged-archive
 */
export function refuseIncomplete(
  entries: Iterable<Pick<ArchiveEntry, 'schema' | 'name'> & { kind: string }>,
  tables: readonly string[],
  sequences: readonly string[],
): void {
  const listed = [...entries].filter(({ schema }) => schema === 'public');
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
 * Loads an archive's rows with the rights of their database's role. Several sessions each load a share of the entries. When one fails,
 * all end.
 * @throws AppError damaged-archive
 */
export async function loadArchiveRows(run: Run, row: DatabaseRow, archive: RestorableArchive): Promise<void> {
  const { context, signal, progress } = run;
  const tools = await context.findTools(row.serverId);
  const url = await connectionStringOf(context, row);
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const onTable = progressByRows(archive, progress);
  const sessions: Promise<void>[] = [];
  for (const entries of sharesOf(archive)) {
    const ids = entries.map(({ id }) => id);
    const list = await openEntryList(context, row.id, ids).catch((error: unknown) => failed.abort(error));
    // The sessions that have begun are waited for: they would go on in a database that is dropped.
    if (!list) break;
    const loading = loadArchive(tools, { url, path: archive.path, list, signal: stop, onTable });
    sessions.push(loading.catch((error: unknown) => failed.abort(error)).finally(() => list.close()));
  }
  await Promise.all(sessions);
  if (failed.signal.aborted) throw await explainFailure(run, row, failed.signal.reason);
}

/**
 * Makes objects of an archive that the platform's schema does not have, with the rights of a database's role.
 * @param objects in the order in which they are made
 * @throws AppError damaged-archive
 */
export async function loadAdditionalObjects(
  run: Run,
  row: DatabaseRow,
  path: string,
  objects: readonly AdditionalObject[],
): Promise<void> {
  const { context, signal } = run;
  const tools = await context.findTools(row.serverId);
  const ids = objects.map(({ id }) => String(id));
  const list = await openEntryList(context, row.id, ids);
  try {
    await loadObjects(tools, { url: await connectionStringOf(context, row), path, list, signal });
  } catch (error) {
    throw await explainFailure(run, row, error);
  } finally {
    await list.close();
  }
}

/**
 * The error to report when loading failed. An operation is run again when PostgreSQL went away, but an archive's SQL can end its own
 * session and so look like that. After some runs PostgreSQL is therefore asked.
 * @throws when PostgreSQL does not answer
 */
async function explainFailure({ context, attempt }: Run, row: DatabaseRow, error: unknown): Promise<unknown> {
  if (!(error instanceof ProgramError) || !isDatabaseAway(error) || attempt < CHECKED_FROM_RUN) return error;
  await context.tenants.with(row, (client) => client.query('select'), { unlimited: true });
  return damaged(
    `pg_restore says that PostgreSQL went away, in the last of ${attempt} runs too, but PostgreSQL answers. The archive may be damaged, or made to do that. ${error.message}`,
  );
}

/** Divides the entries among the sessions so that each loads about the same number of rows. Each share keeps the archive's order. */
function sharesOf(archive: RestorableArchive): ArchiveEntry[][] {
  const loaded = archive.entries.filter(isLoaded);
  const shares = Array.from({ length: LOADERS }, () => ({ weight: 0, entries: new Set<ArchiveEntry>() }));
  for (const entry of loaded.toSorted((one, two) => weightOf(archive, two.name) - weightOf(archive, one.name))) {
    const share = shares.reduce((least, other) => (other.weight < least.weight ? other : least));
    share.weight += weightOf(archive, entry.name);
    share.entries.add(entry);
  }
  return shares.map(({ entries }) => loaded.filter((entry) => entries.has(entry)));
}

const weightOf = ({ rowCounts }: RestorableArchive, table: string): number => 1 + (rowCounts?.[table] ?? 0);

/** Reports progress by rows when a session begins a table. As each session is at work on one table, older ones are done. */
function progressByRows(archive: RestorableArchive, progress: Run['progress']): (table: string) => void {
  const total = archive.entries.filter(isLoaded).reduce((sum, { name }) => sum + weightOf(archive, name), 0);
  const loading: string[] = [];
  let done = 0;
  return (table) => {
    loading.push(table);
    const loaded = loading.length > LOADERS ? loading.shift() : undefined;
    if (loaded === undefined) return;
    done += weightOf(archive, loaded);
    progress(Math.min(1, done / total));
  };
}
