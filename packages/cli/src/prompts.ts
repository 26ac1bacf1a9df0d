import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { shown, shownLines } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Whether somebody sits before the command. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks for a line on the terminal. Questions go to stderr, as the answer of a command may be read by another one. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** Asks for a line that is not shown; without a terminal it is the first line of stdin. */
export async function askSecret(question: string): Promise<string> {
  if (!isInteractive()) return readFirstLine();
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nothing, terminal: true });
  try {
    process.stderr.write(question);
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

async function readFirstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new UsageError('Nothing came from stdin.');
}

/**
 * Has what is destroyed named.
 * @param yes what was named on the command line; absent: it is asked for on the terminal
 * @throws UsageError
 */
export async function confirmName(name: string, warning: string, yes: string | undefined): Promise<void> {
  if (yes === undefined && !isInteractive()) throw new UsageError(`${warning}\nConfirm it with --yes '${name}'.`);
  if (yes === undefined) process.stderr.write(`${shownLines(warning)}\n`);
  const typed = yes ?? (await ask(`Type ${shown(name)} to go on: `));
  if (!isSameName(typed, name)) throw new UsageError(`'${typed}' is not '${name}': nothing was changed.`);
}

/** Whether two names are the same, however their accents are typed: keyboards differ, and older versions of the server kept names as they came. */
export const isSameName = (one: string, other: string): boolean => one.normalize('NFC') === other.normalize('NFC');
