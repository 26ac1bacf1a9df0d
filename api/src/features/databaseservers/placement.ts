import type { Platform, Trx } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import {
  countTenantsOf,
  findServer,
  listMoving,
  listPlaces,
  listServers,
  lockPlacing,
  type ServerPlace,
} from './databaseservers.repository.ts';

/** What is to be placed. */
interface Wanted {
  /** The server that was chosen, or that a copy has to live on; absent: the one with the most room. */
  wanted?: string | undefined;
  /** Whether it is a tenant's, which takes one place of a server's capacity. */
  isTenants: boolean;
  /** A copy stays on the server of its source, whatever its state: PostgreSQL copies only there. */
  isCopy: boolean;
  /** The server that a database leaves, which is therefore not placed there. */
  leaves?: string;
}

/**
 * The server of a new database. Of several active ones that answer it is that with the most free capacity, and with the fewest tenants of those
 * that have equally much or none set, or the one that was chosen.
 * Where capacities count, placements come one after the other until the transaction ends, so that two at once never exceed one.
 * @throws AppError conflict where the server is full or takes no new tenants; invalid for one that does not exist
 */
export async function placeDatabase(trx: Trx, { wanted, isTenants, isCopy, leaves }: Wanted): Promise<string> {
  const places = await listPlaces(trx);
  const [only] = places;
  const isLimited = places.length > 1 || only?.capacity != null || leaves !== undefined;
  if (only?.state === 'active' && !isLimited && (wanted === undefined || wanted === only.id)) return only.id;
  if (isTenants) await lockPlacing(trx);
  const filled = await Promise.all(places.map((place) => withRoom(trx, place)));
  if (wanted === undefined)
    return roomiest(
      filled.filter(({ id }) => id !== leaves),
      isTenants,
    ).id;
  const chosen = filled.find(({ id }) => id === wanted);
  if (!chosen) throw fieldError('invalid', 'databaseServerId', 'There is no such database server.');
  if (chosen.id === leaves) throw livesThere(chosen.name);
  if (!isTenants && leaves === undefined) return chosen.id;
  if (chosen.state !== 'active' && !isCopy) throw notActive(chosen.name);
  if (!isTenants) return chosen.id;
  if (chosen.room <= 0) throw full(chosen, !isCopy);
  return chosen.id;
}

/**
 * Says where the databases of servers that take no new ones would be moved, each counted with those before it. One that is on the way has its place.
 * @returns the server that a database lives on and the one that it would live on; it throws as {@link placeDatabase} does
 */
export async function planMovesAway({
  platform,
}: {
  platform: Platform;
}): Promise<(database: { id: string; serverId: string; tenantId: string | null }) => { from: Named; to: Named }> {
  const [filled, moving] = await platform
    .transaction()
    .execute(async (trx) => [
      await Promise.all((await listPlaces(trx)).map((place) => withRoom(trx, place))),
      await listMoving(trx),
    ]);
  return ({ id: databaseId, serverId, tenantId }) => {
    const isTenants = tenantId !== null;
    const from = filled.find(({ id }) => id === serverId);
    if (!from) throw new Error('A database lives on a server.');
    if (from.state === 'active') return { from, to: from };
    const goesTo = filled.find(({ id }) => id === moving.get(databaseId));
    if (goesTo) return { from, to: goesTo };
    const others = filled.filter((place) => place !== from);
    const to = roomiest(others, isTenants);
    if (isTenants) {
      to.room -= 1;
      to.tenants += 1;
    }
    return { from, to };
  };
}

type Named = Pick<ServerPlace, 'id' | 'name'>;

interface Filled extends ServerPlace {
  tenants: number;
  /** How many more it takes. */
  room: number;
}

async function withRoom(trx: Trx, place: ServerPlace): Promise<Filled> {
  const tenants = await countTenantsOf(trx, place.id);
  return { ...place, tenants, room: (place.capacity ?? Number.POSITIVE_INFINITY) - tenants };
}

function roomiest(places: readonly Filled[], isTenants: boolean): Filled {
  if (places.length === 0) throw new AppError('conflict', { message: 'There is no other database server.' });
  const [first, ...others] = places.filter(({ state, isAway }) => state === 'active' && !isAway);
  if (!first) {
    throw new AppError('conflict', {
      message:
        'No database server takes new databases: all are away, retired or closed to new tenants. Activate one in Database Servers, or add one.',
    });
  }
  const isBetter = (one: Filled, other: Filled) =>
    one.room === other.room ? one.tenants < other.tenants : one.room > other.room;
  const best = others.reduce((chosen, place) => (isBetter(place, chosen) ? place : chosen), first);
  if (isTenants && best.room <= 0) throw full(best, false);
  return best;
}

/** @param canChoose whether another one can be chosen: a copy lives where its source does, and where none was chosen all are full */
const full = ({ name, capacity }: Filled, canChoose: boolean): AppError =>
  new AppError('conflict', {
    message: canChoose
      ? `The database server ${name} is full: it takes ${capacity} tenants. Choose another one, or raise its capacity.`
      : `The database server ${name} is full: it takes ${capacity} tenants. Raise its capacity.`,
  });

const livesThere = (name: string): AppError =>
  fieldError('conflict', 'databaseServerId', `The database lives on ${name} already.`);

const notActive = (name: string): AppError =>
  new AppError('conflict', {
    message: `The database server ${name} takes no new tenants. Choose another one, or activate it.`,
  });

/** Refuses to take a database away from a server that takes new ones again. @throws AppError conflict */
export async function refuseActive(platform: Platform, serverId: string, databaseName: string): Promise<void> {
  const server = await findServer(platform, serverId);
  if (server?.state !== 'active') return;
  const message = `The database server ${server.name} takes new databases again: ${databaseName} stays there.`;
  throw new AppError('conflict', { message });
}

/** The names of servers. */
export async function listServerNames(platform: Platform, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return (await listServers(platform)).filter(({ id }) => ids.includes(id)).map(({ name }) => name);
}
