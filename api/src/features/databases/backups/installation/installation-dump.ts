import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../../context.ts';
import { addressOf, runProgram, writeArchive } from '../../../../db/client-programs/client-program.ts';
import type { PostgresTools } from '../../../../db/client-programs/postgres-tools.ts';
import { withPrimaryClient } from '../../../../db/connections/primary-client.ts';
import { sessionSettings } from '../../../../db/connections/session-settings.ts';
import { QUEUE_SCHEMA } from '../../../../db/operation-queue.ts';
import { withFile } from '../archive/archive-store.ts';

/**
 * What a recovered installation does not need: the queue is made of the operations' rows, nobody is signed in any more, links to choose
 * a password are too old, and stores say themselves which backups of the installation they have.
 */
export const WITHOUT_ROWS = [
  'sessions',
  'provider_sessions',
  'used_provider_tokens',
  'sign_in_attempts',
  'mails',
  'password_links',
  'installation_copies',
];
const LEFT_OUT = [`--exclude-schema=${QUEUE_SCHEMA}`, ...WITHOUT_ROWS.map((table) => `--exclude-table-data=${table}`)];
/** Bytes that are read at once. */
const CHUNK = 1024 * 1024;

/** Runs `work` with a dump of the control database. Its file has no name, so a kill leaves nothing. */
export async function withControlDump<T>(
  context: Context,
  signal: AbortSignal,
  work: (dump: { content: AsyncIterable<Uint8Array>; sizeBytes: number }) => Promise<T>,
): Promise<T> {
  const { pgDump } = await context.findTools();
  const file = await openNameless(context.backupDir);
  try {
    const { address, environment } = addressOf(context.databaseUrl);
    const args = ['--no-owner', '--no-privileges', '--no-password', ...LEFT_OUT, `--dbname=${address}`];
    await writeArchive(pgDump, args, file, { environment, signal });
    const { size } = await file.stat();
    const content = file.createReadStream({ start: 0, highWaterMark: CHUNK, autoClose: false, signal });
    return await work({ content, sizeBytes: size });
  } finally {
    await file.close();
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.part`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return file;
}

/** Loads a dump into an empty database. What a failure or a kill leaves there is a part of it. @param url of the database @throws ProgramError */
export async function loadControlDump(tools: PostgresTools, url: string, path: string): Promise<void> {
  await loadSection(tools, url, path, 'pre-data');
  await loadSection(tools, url, path, 'data');
  await deleteWithoutSession(url);
  await loadSection(tools, url, path, 'post-data');
}

/** Backups of before have the rows that belong to sessions, but no sessions: the foreign key, which comes last, would be refused. */
async function deleteWithoutSession(url: string): Promise<void> {
  const text = 'delete from public.provider_sessions where session_id not in (select id from public.sessions)';
  await withPrimaryClient(sessionSettings(url, 'upkeep', 'apotheca recovery'), (client) => client.query(text));
}

type Section = 'pre-data' | 'data' | 'post-data';

async function loadSection(
  { pgRestore, loading }: PostgresTools,
  url: string,
  path: string,
  section: Section,
): Promise<void> {
  const { address, environment } = addressOf(url);
  const flags = ['--format=custom', `--section=${section}`, ...loading.flags, '--no-owner', '--no-privileges'];
  const { harmless } = loading;
  await withFile(path, 'r', ({ fd }) =>
    runProgram(pgRestore, [...flags, '--no-password', `--dbname=${address}`], {
      environment,
      harmless,
      files: { input: fd },
    }),
  );
}
