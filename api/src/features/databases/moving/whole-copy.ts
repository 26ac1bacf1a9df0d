import type { FileHandle } from 'node:fs/promises';
import { addressOf, runProgram, THIRD_FILE, writeArchive } from '../../../db/client-programs/client-program.ts';
import type { PostgresTools } from '../../../db/client-programs/postgres-tools.ts';
import { withFile } from '../backups/archive/archive-store.ts';

interface Way {
  /** Connection string of the administrator. */
  url: string;
  /** An existing file. */
  path: string;
  signal: AbortSignal;
  /** Called with each table of the platform when its rows begin. */
  onTable(name: string): void;
}

/** No wait for the disk after each table: the commit by which the copy becomes valid waits for all before it. */
const LOADING = '-c synchronous_commit=off -c maintenance_work_mem=128MB';

/** Writes all of a database into a file: also what backups leave out. @throws ProgramError */
export async function dumpWhole(
  { pgDump, ask }: PostgresTools,
  { url, path, signal, onTable, snapshot }: Way & { snapshot: string },
): Promise<void> {
  const { address, environment } = addressOf(url);
  const flags = ['--compress=1', '--no-owner', '--no-subscriptions'];
  const args = [...flags, '--no-password', '--verbose', `--snapshot=${snapshot}`, `--dbname=${address}`];
  const onLine = calling(/dumping contents of table "public\.(\w+)"/, onTable);
  await withFile(path, 'r+', (file) => writeArchive(pgDump, args, file, { environment, signal, ask, onLine }));
}

/**
 * Loads such a file into an empty database. What it makes belongs to the administrator, in the tablespace of the database.
 * @param tools of its server
 * @param list the entries to load (openEntryList); absent: all
 * @throws ProgramError
 */
export async function loadWhole(
  tools: PostgresTools,
  { url, path, signal, onTable, list }: Way & { list?: FileHandle },
): Promise<void> {
  const { pgRestore, loading, ask } = tools;
  const { address, environment } = addressOf(url);
  const entries = list ? [`--use-list=${THIRD_FILE}`] : [];
  const flags = [
    '--format=custom',
    ...loading.flags,
    ...entries,
    '--no-owner',
    '--no-tablespaces',
    '--no-password',
    '--verbose',
  ];
  const onLine = calling(/processing data for table "public\.(\w+)"/, onTable);
  await withFile(path, 'r', ({ fd }) =>
    runProgram(pgRestore, [...flags, `--dbname=${address}`], {
      environment: { ...environment, PGOPTIONS: LOADING },
      signal,
      ask,
      onLine,
      harmless: loading.harmless,
      files: { input: fd, ...(list && { third: list.fd }) },
    }),
  );
}

const calling = (pattern: RegExp, onTable: (name: string) => void) => (line: string) => {
  const [, table] = pattern.exec(line) ?? [];
  if (table) onTable(table);
};
