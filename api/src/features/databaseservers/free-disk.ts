import type { Context } from '../../context.ts';
import { HOME_SERVER } from '../../db/clusters.ts';
import { statDisk } from '../../db/embedded/disk-room.ts';
import { reasonOf } from '../../db/errors/connection-problems.ts';
import { askFreeDisk, type FreeDisk } from './server-checks.repository.ts';

/**
 * Finds how much is free on a server's disk. That of the embedded PostgreSQL is of this machine; others are asked.
 * @param id of its record; undefined where there is none yet
 * @param url connection string of its administrator
 * @returns undefined where nobody tells
 */
export function findFreeDisk(
  { clusterDir }: Context,
  id: string | undefined,
  url: string,
): Promise<FreeDisk | undefined> {
  if (id !== HOME_SERVER || clusterDir === undefined) return askFreeDisk(url);
  return statDisk(clusterDir).then(
    ({ bavail, bsize }) => ({ bytes: bavail * bsize }),
    (error: unknown) => ({ unknown: reasonOf(error) }),
  );
}
