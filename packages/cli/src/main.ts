import { readFileSync } from 'node:fs';
import { ApothecaError } from '@apotheca/client';
import addCompletion from '@bomb.sh/tab/commander';
import { Command, CommanderError } from 'commander';
import { addBackupCommands } from './commands/backups.ts';
import { addDatabaseCommands } from './commands/databases.ts';
import { addOperationCommands } from './commands/operations.ts';
import { addSessionCommands } from './commands/session.ts';
import { addTenantCommands } from './commands/tenants.ts';
import { NotSignedInError } from './not-signed-in-error.ts';
import { jsonOf, shownLines } from './output.ts';
import { reasonOf } from './reason.ts';
import { UsageError } from './usage-error.ts';
import { WaitError } from './wait-error.ts';

/** How a command ends: refused or failed, wrongly used, not signed in. */
const EXIT = { failed: 1, usage: 2, notSignedIn: 3 } as const;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const program = new Command('apotheca')
  .description("Apotheca's command line. APOTHECA_API_KEY has the API key of a program; people sign in.")
  .version(version)
  .option(
    '--url <address>',
    'where the server is; else APOTHECA_URL, for people that of the last sign-in, or this machine',
    process.env.APOTHECA_URL || undefined,
  )
  .option('--json', 'print JSON; failures go to stderr as JSON')
  .option('--progress', 'show progress on stderr even if no terminal')
  .option('--no-progress', 'show no progress')
  .configureOutput({ outputError: (text, write) => write(isJsonWanted() ? asLine({ message: bare(text) }) : text) })
  .exitOverride();
addSessionCommands(program);
addTenantCommands(program);
addDatabaseCommands(program);
addBackupCommands(program);
addOperationCommands(program);
addCompletion(program, { completionCommandName: 'completion' });

// A reader that needs no more, such as head, closes the pipe: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : tell(error)));
// Progress and failures that nobody reads any more change neither the work nor how it ends.
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tell(error);
}

/** Says on stderr why a command failed. @returns its exit code */
function tell(error: unknown): number {
  // Commander has told already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  const operationId = error instanceof WaitError ? error.operationId : undefined;
  const reason = error instanceof WaitError ? error.cause : error;
  const lines = linesOf(reason);
  if (operationId) lines.push(`The operation goes on: apotheca operations wait ${operationId}`);
  const isJson = isJsonWanted();
  process.stderr.write(
    isJson ? asLine({ ...asJson(reason), operationId }) : lines.map((line) => `${shownLines(line)}\n`).join(''),
  );
  return exitCodeOf(reason);
}

/** Whether failures are told as JSON, also those by which the options are never read to their end. */
function isJsonWanted(): boolean {
  return process.argv.includes('--json');
}

function asLine(failure: object): string {
  return `${jsonOf(failure)}\n`;
}

/** What Commander says, as other failures are said. */
function bare(text: string): string {
  return text.replace(/^error: /, '').trim();
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  const isSignedOut = error instanceof NotSignedInError || (error instanceof ApothecaError && error.status === 401);
  return isSignedOut ? EXIT.notSignedIn : EXIT.failed;
}

function asJson(error: unknown): object {
  if (!(error instanceof ApothecaError)) return { message: reasonOf(error) };
  const { status, title, message, errors } = error;
  return { status, title, message, errors };
}

function linesOf(error: unknown): string[] {
  if (!(error instanceof ApothecaError)) return [reasonOf(error)];
  const fields = Object.entries(error.errors);
  if (fields.length === 0) return [error.message];
  return fields.flatMap(([field, messages]) => messages.map((message) => `${field}: ${message}`));
}
