import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Session } from '@apotheca/client';
import { withFileLock } from './file-lock.ts';

/** What is kept between two commands. */
export interface KeptSession {
  /** The server of the last sign-in. */
  url: string;
  /** Absent: it has ended. */
  session?: Session | undefined;
}

/** $XDG_CONFIG_HOME/apotheca/session.json (specifications.freedesktop.org/basedir-spec). */
const FILE = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'apotheca', 'session.json');

/** What is kept; undefined: nothing, or its file is damaged, for which signing in is the way out too. */
export async function readSession(): Promise<KeptSession | undefined> {
  try {
    const { url, session } = JSON.parse(await readFile(FILE, 'utf8'));
    const texts: unknown[] = [url, session?.accessToken, session?.refreshToken];
    if (texts.every((text) => typeof text === 'string')) return { url, session };
    return typeof url === 'string' ? { url } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a new sign-in. */
export const keepSession = (kept: Required<KeptSession>): Promise<void> => alone(() => write(kept));

/** Forgets a sign-in that has ended, and its server. Another one that was kept meanwhile stays. @param ended absent: it ended before */
export const forgetSession = (ended?: Session): Promise<void> =>
  alone(async () => {
    const kept = await readSession();
    if (!kept?.session || kept.session.refreshToken === ended?.refreshToken) await rm(FILE, { force: true });
  });

/**
 * Runs a refresh while no other command keeps anything, with the pair of tokens that is kept then: it may be newer than the one that this
 * command began with, which the server would take for a stolen one.
 */
export const refreshAlone = (url: string, refresh: (kept: Session | undefined) => Promise<void>): Promise<void> =>
  alone(async () => {
    const kept = await readSession();
    await refresh(kept?.url === url ? kept.session : undefined);
  });

/**
 * Within {@link refreshAlone}: keeps the next pair of tokens of a kept sign-in, or where it was if it has ended, as the next one is asked for
 * there. Another sign-in that was kept meanwhile stays, and so does a newer pair.
 * @param before the pair that is replaced
 * @param next undefined: the session has ended
 */
export async function replaceSession(url: string, before: Session, next: Session | undefined): Promise<void> {
  const kept = await readSession();
  if (kept?.url !== url || kept.session?.refreshToken !== before.refreshToken) return;
  if (!next) await write({ url });
  else if (kept.session.accessToken === before.accessToken) await write({ url, session: next });
}

/** Runs the work while no other command changes what is kept. */
async function alone(work: () => Promise<void>): Promise<void> {
  await mkdir(dirname(FILE), { recursive: true, mode: 0o700 });
  await withFileLock(`${FILE}.lock`, work);
}

/** Writes it where its owner alone can read it. */
async function write(kept: KeptSession): Promise<void> {
  // Another command may read it meanwhile: it finds the old one or the new one, whole.
  const draft = `${FILE}.${process.pid}`;
  await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
  await rename(draft, FILE);
}
