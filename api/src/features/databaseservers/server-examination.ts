import type { CheckedPoint } from '@apotheca/contract/databaseservers';
import type { Context } from '../../context.ts';
import { HOME_SERVER } from '../../db/clusters.ts';
import { isReported } from '../../db/errors/postgres-errors.ts';
import { prepareServer } from '../../db/migrate.ts';
import { readClock } from '../../db/trusted-clock.ts';
import { fieldError } from '../../errors.ts';
import { findHomeIdentifier, listPhysicalNames, listServers, type ServerRow } from './databaseservers.repository.ts';
import { findFreeDisk } from './free-disk.ts';
import { connectionStringFor, type Way, wayOf } from './server-address.ts';
import { type Checked, checkServer, hasOneOf } from './server-checks.repository.ts';

/** Examines a server that is to be reached in another way. @returns undefined where nothing of that changes */
export async function examineChange(context: Context, row: ServerRow, wanted: Way): Promise<Checked | undefined> {
  const isSame = Object.entries(definedWay(context, row)).every(
    ([field, value]) => wanted[field as keyof Way] === value,
  );
  if (isSame) return undefined;
  const checked = await examine(context, wanted, row.id);
  if (
    row.systemIdentifier !== null &&
    checked.systemIdentifier !== null &&
    row.systemIdentifier !== checked.systemIdentifier &&
    !(await hasDatabasesOf(context, row, wanted))
  ) {
    throw fieldError(
      'conflict',
      'host',
      `This is another cluster than the one that the databases of ${row.name} live on.`,
    );
  }
  await prepare(context, wanted);
  return checked;
}

/** Whether the databases of a record are there, or it has none. pg_upgrade makes their cluster anew, and a recovery takes an empty one. */
async function hasDatabasesOf({ platform, keys }: Context, { id }: ServerRow, way: Way): Promise<boolean> {
  const names = await listPhysicalNames(platform, id);
  return names.length === 0 || hasOneOf(await connectionStringFor(keys, way), names);
}

/** How it is reached now; nothing where that cannot be read. */
function definedWay(context: Context, row: ServerRow): Partial<Way> {
  try {
    return wayOf(context.keys, row);
  } catch {
    return { password: '' };
  }
}

/** Checks a server. @throws AppError conflict, which names the field, where a check fails */
export async function examine(context: Context, way: Way, ownId: string | undefined): Promise<Checked> {
  const checked = await checkAt(context, await connectionStringFor(context.keys, way), ownId);
  // A server that has databases is to be reached all the same when its disk is full.
  const failed = checked.points.find(({ point, passed }) => passed === false && !(point === 'disk' && ownId));
  if (!failed) return checked;
  const field = failed.point === 'rights' ? 'userName' : 'host';
  throw fieldError('conflict', field, `${REFUSALS[failed.point]}: ${failed.detail}.`);
}

/** Makes what this installation needs on a server. @throws AppError conflict where its user may not */
export async function prepare(context: Context, way: Way): Promise<void> {
  await prepareServer(await connectionStringFor(context.keys, way)).catch((error: unknown) => {
    if (!isReported(error)) throw error;
    throw fieldError('conflict', 'userName', `The server refuses to be prepared: ${error.message}.`);
  });
}

const REFUSALS: Record<CheckedPoint['point'], string> = {
  reached: 'The server cannot be reached',
  version: 'The server is too old',
  rights: 'The user lacks rights',
  icu: 'The server lacks ICU',
  clock: 'The clock of the server is wrong',
  cluster: 'The server has a record already',
  disk: 'The disk of the server is full',
};

/** Checks a server that a connection string leads to. @param ownId id of its record; undefined where there is none yet */
export function checkAt(context: Context, url: string, ownId: string | undefined): Promise<Checked> {
  const findTwin = async (systemIdentifier: string) => {
    const rows = (await listServers(context.platform)).filter(({ id }) => id !== ownId);
    const home = ownId === HOME_SERVER ? null : await findHomeIdentifier(context.platform);
    const isTwin = (row: ServerRow) => (row.id === HOME_SERVER ? home : row.systemIdentifier) === systemIdentifier;
    return rows.find(isTwin)?.name;
  };
  const now = () => readClock(context.platform);
  return checkServer(url, { now, findTwin, findFreeDisk: () => findFreeDisk(context, ownId, url) });
}
