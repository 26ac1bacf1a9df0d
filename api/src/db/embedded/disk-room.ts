import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** The size of a file of PostgreSQL's write-ahead log: where it cannot make one more, it ends. */
const WAL_FILE = 16 * 1024 * 1024;
/** How long a look at a disk is waited for, in milliseconds: those who ask whether a server is ready wait for it. */
const PATIENCE = 1_000;

/**
 * A disk of a network whose server has gone silent answers no look at it, and each such look holds one of Node's few threads, which signing in
 * and finding addresses need too. So a folder is looked at once at a time, for all who ask meanwhile, and none of them waits for long.
 * @param ask looks at the disk of a folder
 * @returns the same within a second; it rejects with the code `ETIMEDOUT` where the disk is silent
 */
export function sharedLook(ask: (folder: string) => Promise<StatsFs>): (folder: string) => Promise<StatsFs> {
  const looks = new Map<string, Promise<StatsFs>>();
  return (folder) => {
    const look = looks.get(folder) ?? ask(folder).finally(() => looks.delete(folder));
    looks.set(folder, look);
    const { promise, resolve, reject } = Promise.withResolvers<StatsFs>();
    // What was answered while this process was busy is read before the time is up.
    const late = setTimeout(() => setImmediate(() => reject(silentDisk(folder))), PATIENCE);
    look.then(resolve, reject).finally(() => clearTimeout(late));
    return promise;
  };
}

const silentDisk = (folder: string) =>
  Object.assign(new Error(`The disk of ${folder} does not answer.`), { code: 'ETIMEDOUT' });

/** How much room the disk of a folder has. @throws Error with the system's code, `ETIMEDOUT` where the disk does not answer */
export const statDisk = sharedLook(statfs);

/** Whether the disk of a cluster may have no room for one more file of its write-ahead log. False where that cannot be found out. */
export const isDiskFull = (dataDir: string): Promise<boolean> =>
  statDisk(dataDir).then(
    ({ bavail, bsize }) => bavail * bsize < WAL_FILE,
    () => false,
  );
