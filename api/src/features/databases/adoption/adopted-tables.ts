import { createHash } from 'node:crypto';
import type { AdoptedTable, AdoptionReport } from '@apotheca/contract/adoptions';
import type pg from 'pg';
import type { Place } from '../../../db/cluster/session.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { AppError } from '../../../errors.ts';
import { cancellable } from '../../../operations/cancellable.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import { readTenantCatalogue, type TenantCatalogue } from '../tenant-database/catalogue.repository.ts';
import {
  advanceIdentities,
  compareLoaded,
  dropIfEmpty,
  keepRejected,
  keepUnreadable,
  type Lines,
  type LoadedColumn,
  loadLines,
  prepareAdoption,
  prepareTable,
  readStaged,
  retryReferences,
  type StagedRow,
  stageRows,
  type UnreadableRow,
} from './adopted-rows.repository.ts';
import { type Decode, decoderOf, escaped } from './source/encodings.ts';
import {
  type ForeignDatabase,
  type ForeignRow,
  type ForeignTable,
  fullName,
  type ReadRows,
} from './source/foreign-source.ts';
import { TENANT_COLUMNS } from './tenant-columns.ts';

/** How many rows one statement loads: the first failure halves them. */
const LINES_AT_ONCE = 2_000;

type TableReport = AdoptionReport['tables'][number];

/** What is read, and where it goes. */
interface Adoption {
  source: ForeignDatabase;
  tables: readonly AdoptedTable[];
  read: ReadRows;
}

/**
 * Loads the rows of a source into an empty database of the newest schema, table by table, parents first. Each row that is read is
 * loaded or kept among the rejected ones; counts and checksums are compared.
 * @throws AppError internal when a table does not have what was read
 */
export async function adoptTables(run: Run, database: Place, adoption: Adoption): Promise<TableReport[]> {
  const work = async (client: pg.Client) => {
    await prepareAdoption(client);
    const catalogue = await readTenantCatalogue(client);
    const byId = new Map(adoption.source.tables.map((table) => [table.id, table]));
    const waiting = inOrder(adoption.tables, catalogue).flatMap((table) => {
      const source = byId.get(table.source ?? '');
      return source ? [{ table, source }] : [];
    });
    const total = waiting.reduce((sum, { source }) => sum + (source.rows ?? 0), 0);
    const reports: TableReport[] = [];
    let done = 0;
    for (const { table, source } of waiting) {
      reports.push(await adoptTable(client, table, source, adoption));
      done += source.rows ?? 0;
      run.progress(total === 0 ? 1 : done / total);
    }
    await advanceIdentities(client, catalogue.tables.values());
    await dropIfEmpty(client);
    return reports;
  };
  return run.context.tenants.with(database, (client) => cancellable(run, processIdOf(client), () => work(client)), {
    unlimited: true,
  });
}

/** Tables so that each comes after those that its rows refer to. */
function inOrder(tables: readonly AdoptedTable[], { foreignKeys }: TenantCatalogue): AdoptedTable[] {
  const waiting = new Set(tables);
  const ordered: AdoptedTable[] = [];
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ table }) => table as string));
    const isFree = ({ table }: AdoptedTable) =>
      !foreignKeys.some(({ from, to }) => from === table && to !== table && names.has(to));
    const free = [...waiting].filter(isFree);
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...names].join(', ')}`);
    for (const table of free) waiting.delete(table);
    ordered.push(...free);
  }
  return ordered;
}

async function adoptTable(
  client: pg.Client,
  { table, columns: mapped, leftOut }: AdoptedTable,
  source: ForeignTable,
  { source: { encoding }, read }: Adoption,
): Promise<TableReport> {
  const columns = loadedColumns(table, mapped, source);
  const name = fullName(source);
  await prepareTable(client, table, columns);
  const staged = await stageTable(client, { table, source, decode: decoderOf(encoding), read });
  await refuseOtherRows(client, name, staged);
  for (let first = 1; first <= staged.rows; first += LINES_AT_ONCE) {
    await loadLines(client, first, Math.min(first + LINES_AT_ONCE - 1, staged.rows));
  }
  await retryReferences(client, table);
  const { expected, actual } = await compareLoaded(client, table, columns);
  const rejected = staged.unreadable + (await keepRejected(client, table, name, source.columns));
  if (
    expected.rows !== actual.rows ||
    expected.checksum !== actual.checksum ||
    actual.rows + rejected !== staged.rows
  ) {
    throw differing(`The rows of ${table} are not those of ${name}.`);
  }
  const valuesOf = (column: string) => staged.values[source.columns.indexOf(column)] ?? 0;
  return {
    table,
    source: name,
    read: staged.rows,
    loaded: actual.rows,
    rejected,
    leftOut: leftOut.map((column) => ({ column, values: valuesOf(column) })),
  };
}

function loadedColumns(
  table: AdoptedTable['table'],
  mapped: AdoptedTable['columns'],
  source: ForeignTable,
): LoadedColumn[] {
  const types = new Map(TENANT_COLUMNS.get(table)?.map(({ name, type }) => [name, type]));
  return mapped.flatMap(({ name, source: from }) => {
    const type = types.get(name);
    return from === null || type === undefined ? [] : [{ name, type, position: source.columns.indexOf(from) + 1 }];
  });
}

/** What was staged of a table. */
interface Staged {
  /** That were read. */
  rows: number;
  /** Of those, how many could not be staged. */
  unreadable: number;
  /** How many rows have a value, by column. */
  values: number[];
  /** Of the staged rows in their order. */
  digest: string;
  /** The lines that were in memory at once: what is as large can be read back. */
  batches: Lines[];
}

async function stageTable(
  client: pg.Client,
  { table, source, decode, read }: { table: string; source: ForeignTable; decode: Decode; read: ReadRows },
): Promise<Staged> {
  const hash = createHash('sha256');
  const values = source.columns.map(() => 0);
  const batches: Lines[] = [];
  let rows = 0;
  let unreadable = 0;
  await read(source, async (batch) => {
    const staged: StagedRow[] = [];
    const refused: UnreadableRow[] = [];
    for (const row of batch) {
      rows += 1;
      const texts = row.map((bytes) => (bytes === null ? null : decode(bytes)));
      const refusal = refusalOf(source, row, texts);
      for (const [index, text] of texts.entries()) if (text !== null) values[index] = (values[index] ?? 0) + 1;
      if (refusal) refused.push({ line: rows, ...refusal, values: texts.map((text, at) => shown(text, row[at])) });
      else staged.push({ line: rows, values: texts as (string | null)[] });
    }
    for (const row of staged) hash.update(lineOf(row.values));
    await stageRows(client, staged);
    await keepUnreadable(client, table, fullName(source), source.columns, refused);
    unreadable += refused.length;
    batches.push({ first: rows - batch.length + 1, last: rows });
  });
  return { rows, unreadable, values, digest: hash.digest('hex'), batches };
}

/** Why a row cannot be staged; undefined: it can. */
function refusalOf(
  { columns }: ForeignTable,
  row: ForeignRow,
  texts: readonly (string | null | undefined)[],
): Pick<UnreadableRow, 'kind' | 'column' | 'reason'> | undefined {
  if (row.length !== columns.length) {
    return { kind: 'columns', column: null, reason: `It has ${row.length} values instead of ${columns.length}` };
  }
  const at = texts.indexOf(undefined);
  if (at < 0) return undefined;
  return {
    kind: 'encoding',
    column: columns[at] ?? null,
    reason: 'Its bytes are no text in the encoding of the source',
  };
}

const shown = (text: string | null | undefined, bytes: Buffer | null | undefined): string | null =>
  text === undefined ? escaped(bytes ?? Buffer.alloc(0)) : text;

const lineOf = (values: readonly (string | null)[]): string => `${JSON.stringify(values)}\n`;

/** Reads what was staged back, and compares it with what was read. */
async function refuseOtherRows(client: pg.Client, name: string, { digest, batches }: Staged): Promise<void> {
  const hash = createHash('sha256');
  for (const batch of batches) {
    for (const values of await readStaged(client, batch)) hash.update(lineOf(values));
  }
  if (hash.digest('hex') !== digest)
    throw differing(`The rows of ${name} that were stored are not those that were read.`);
}

const differing = (message: string) => new AppError('internal', { message });
