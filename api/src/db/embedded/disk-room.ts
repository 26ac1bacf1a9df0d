import { statfs } from 'node:fs/promises';

/** The size of a file of PostgreSQL's write-ahead log: where it cannot make one more, it ends. */
const WAL_FILE = 16 * 1024 * 1024;

/** Whether the disk of a cluster may have no room for one more file of its write-ahead log. False where that cannot be found out. */
export const isDiskFull = (dataDir: string): Promise<boolean> =>
  statfs(dataDir).then(
    ({ bavail, bsize }) => bavail * bsize < WAL_FILE,
    () => false,
  );
