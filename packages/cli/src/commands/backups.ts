import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Apotheca } from '@apotheca/client';
import type { Command } from 'commander';
import { connect } from '../connection.ts';
import { printDone, printRows } from '../output.ts';
import { confirmName } from '../prompts.ts';
import { refuseFile } from '../usage-error.ts';
import { writeWhole } from '../whole-file.ts';

export function addBackupCommands(program: Command): void {
  const backups = program.command('backups').description('archives of databases');
  addList(backups);
  addCreate(backups);
  addDownload(backups);
  addUpload(backups);
  addRestore(backups);
  addDelete(backups);
}

/** How many backups of all databases are listed unless another number is asked for. */
const LISTED = 200;

interface ListOptions {
  limit?: string;
  before?: string;
}

function addList(backups: Command): void {
  backups
    .command('list')
    .description('the backups, newest first')
    .argument('[database]', 'only those of this database')
    .option('--limit <count>', `how many at most, up to 1000; else ${LISTED} of all databases, and all of one`)
    .option('--before <id>', 'only those that come after this one in the list')
    .action(async (databaseName: string | undefined, options: ListOptions, command: Command) => {
      const { apotheca, output } = await connect(command);
      const { before, limit = databaseName === undefined ? String(LISTED) : undefined } = options;
      const { result } = await apotheca.call('backups.list', { query: { databaseName, before, limit } });
      printRows(output, result, {
        ID: ({ id }) => id,
        DATABASE: ({ databaseName: name }) => name,
        MADE: ({ createdOnUtc }) => createdOnUtc,
        MB: ({ sizeBytes }) => (sizeBytes / 1e6).toFixed(1),
        ORIGIN: ({ origin }) => origin,
        PROOF: ({ proof }) => proof?.result,
      });
      const last = result.at(-1);
      // On stderr, as the rows may be read by another command.
      if (last && result.length === Number(limit))
        process.stderr.write(
          `No more than ${limit} are listed. Any others come with the same command and --before ${last.id}\n`,
        );
    });
}

function addCreate(backups: Command): void {
  backups
    .command('create')
    .description('back up a database')
    .argument('<database>', "the database's name")
    .option('--no-wait', 'do not wait for its end: print the id of the operation')
    .action(async (databaseName: string, { wait }: { wait: boolean }, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      const query = { databaseName };
      if (!wait) {
        const id = await apotheca.start('backups.create', { query });
        return printDone(output, { operationId: id }, id);
      }
      const { result, message } = await run((settings) => apotheca.call('backups.create', { query }, settings));
      printDone(output, result, message);
    });
}

function addDownload(backups: Command): void {
  backups
    .command('download')
    .description('write the archive of a backup to a file')
    .argument('<id>', "the backup's id")
    .option(
      '-o, --output <file>',
      'the file, which must not exist and is there once it is whole; - is stdout; else its own name',
    )
    .action(async (id: string, { output: file }: { output?: string }, command: Command) => {
      const { apotheca, output } = await connect(command);
      const { name, sizeBytes, content } = await apotheca.download('backups.download', { query: { id } });
      const archive = Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0]);
      if (file === '-') return pipeline(archive, process.stdout);
      // A name of the server's is a name in this folder.
      const target = file ?? name.replace(/[/\\]/g, '_');
      await writeWhole(target, archive);
      printDone(output, { file: target, sizeBytes }, `${target}: ${sizeBytes} bytes.`);
    });
}

function addUpload(backups: Command): void {
  backups
    .command('upload')
    .description('upload an archive, which is checked before it is kept')
    .argument('<file>', 'the archive')
    .requiredOption('--as <database>', 'the name of the database that it is of')
    .option('--sha256 <digest>', 'what its SHA-256 must be')
    .action(async (file: string, { as: databaseName, sha256 }: { as: string; sha256?: string }, command: Command) => {
      const { apotheca, output } = await connect(command);
      const archive = await openFile(file).catch(refuseFile(file));
      const body = Readable.toWeb(archive.createReadStream()) as ReadableStream<Uint8Array>;
      const { result, message } = await apotheca.call('backups.upload', { query: { databaseName, sha256 }, body });
      printDone(output, result, message);
    });
}

/** A folder can be opened like a file, and fails only when it is read. @throws Error */
async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error('it is no file');
}

function addRestore(backups: Command): void {
  backups
    .command('restore')
    .description('restore a backup as a new database, or in place of one that is there')
    .argument('<id>', "the backup's id")
    .requiredOption('--to <database>', 'the name of the database')
    .option('--yes <name>', 'the name of the database that is replaced, in place of the question')
    .action(async (id: string, { to, yes }: { to: string; yes?: string }, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      const target = { id, databaseName: to };
      const { result: plan, message: warning } = await apotheca.call('backups.planRestore', { query: target });
      if (plan.replaces) await confirmName(plan.databaseName, warning, yes);
      const query = { ...target, plan: plan.digest };
      const { result, message } = await run((settings) => apotheca.call('backups.restore', { query }, settings));
      printDone(output, result, message);
    });
}

function addDelete(backups: Command): void {
  backups
    .command('delete')
    .description('delete a backup for good')
    .argument('<id>', "the backup's id")
    .option('--yes <id>', 'the id once more, in place of the question')
    .action(async (id: string, { yes }: { yes?: string }, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      // Who gives the id once more is asked nothing, and need not have the right to list backups.
      await confirmName(id, yes === undefined ? await deletionWarning(apotheca, id) : '', yes);
      const { result, message } = await run(() => apotheca.call('backups.delete', { query: { id } }));
      printDone(output, result, message);
    });
}

/** What is deleted with a backup: an id says neither of which database and moment it is, nor that there are copies. */
async function deletionWarning(apotheca: Apotheca, id: string): Promise<string> {
  const { result } = await apotheca.call('backups.list', { query: { id } });
  // A server that knows nothing of the id lists all.
  const backup = result.find((each) => each.id === id);
  // The server refuses what it does not know.
  if (!backup) return `Backup ${id} will be deleted for good.`;
  const { databaseName, createdOnUtc, sizeBytes, copies } = backup;
  const what = `The backup of ${databaseName} of ${createdOnUtc} (${(sizeBytes / 1e6).toFixed(1)} MB)`;
  const withCopies = copies.length > 0 ? ', with its copies in all stores' : '';
  return `${what} will be deleted for good${withCopies}. It cannot be brought back.`;
}
