import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../config.ts';
import { flushToDisk } from '../flush-to-disk.ts';
import { RecoveryError } from './recovery-error.ts';

/**
 * What a recovery leaves in the data folder until all of it is done, so that it can be run again after a kill, and recovers into no folder
 * but its own.
 */
const note = z.object({
  /** The backup of the installation, and the store that has it. */
  object: z.string(),
  store: z.string(),
  /** PostgreSQL's address without credentials, or `embedded`. */
  postgres: z.string(),
  /** Whether it ended, but left something out that another run may find: the server may be started. */
  isIncomplete: z.boolean(),
});
export type RecoveryNote = z.infer<typeof note>;

const pathIn = (dataDir: string): string => join(dataDir, 'recovery.json');

/** @returns undefined where there is none @throws RecoveryError when it cannot be read, or is damaged */
export async function readNote(dataDir: string): Promise<RecoveryNote | undefined> {
  const path = pathIn(dataDir);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new RecoveryError(`Cannot read ${path}: ${error.message}`);
  });
  if (text === undefined) return undefined;
  try {
    return note.parse(JSON.parse(text));
  } catch {
    throw new RecoveryError(`${path} is damaged: remove the whole data folder, and recover again`);
  }
}

/** Writes the note, whole or not at all. */
export async function writeNote(dataDir: string, content: RecoveryNote): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${pathIn(dataDir)}.new`;
  const file = await open(draft, 'w', 0o600);
  await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
  await file.sync();
  await file.close();
  await rename(draft, pathIn(dataDir));
  await flushToDisk(dataDir);
}

export const removeNote = (dataDir: string): Promise<void> => rm(pathIn(dataDir), { force: true });

/** What an installation has in its data folder. */
const OF_AN_INSTALLATION = ['secrets.json', 'postgres', 'backups'];

/** @throws RecoveryError when the data folder has an installation */
export async function refuseUsedFolder(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir).catch((): string[] => []);
  const found = OF_AN_INSTALLATION.find((name) => entries.includes(name));
  if (found === undefined) return;
  throw new RecoveryError(
    `${dataDir} has an installation already (${found}): recovery works into an empty data folder only. Move that one away, or set APOTHECA_DATA_DIR`,
  );
}

/** Called before a server starts: from then on the installation is in use, and no recovery touches it. @throws StartError while one is unfinished */
export async function endRecovery(dataDir: string): Promise<void> {
  await refuseHalfRecovered(dataDir);
  await removeNote(dataDir);
}

/** @throws StartError while a recovery is unfinished: what it has not looked at yet must not be settled, and an empty control database not be filled */
export async function refuseHalfRecovered(dataDir: string): Promise<void> {
  const found = await readNote(dataDir).catch((error: Error) => {
    throw new StartError(error.message);
  });
  if (found && !found.isIncomplete) {
    throw new StartError('this installation is only half recovered: finish that first with npm run recover');
  }
}
