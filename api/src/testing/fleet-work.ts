import { authRoutes } from '@apotheca/contract/auth';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { type Faq, faqRoutes } from '@apotheca/contract/faqs';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { type User, userRoutes } from '@apotheca/contract/users';
import { tenantInput, userInput } from './builders.ts';
import { type FleetClient, resultOf } from './fleet-client.ts';
import { PLACES, type Place } from './killable-fleet.ts';

/** What is made before anything is killed. */
export interface FleetSetup {
  /** The ids of the records of the PostgreSQL servers. */
  servers: Record<Place, string>;
  /** The role of new users. */
  roleId: string;
  /** The tenants that work is done on, by code. */
  tenants: ReadonlyMap<string, { id: string; place: Place }>;
}

/** Everything that was acknowledged to clients, which must be there in the end: once. */
export class Acknowledged {
  readonly faqs: string[] = [];
  readonly users: string[] = [];
  /** Codes of tenants that were made, without those that were deleted again. */
  readonly tenants = new Set<string>();
  readonly deletedTenants: string[] = [];
  readonly deletedClones: string[] = [];
  /** Ids of backups by database. */
  readonly backups = new Map<string, string[]>();
  /** What edits have written, by the tenant's code. */
  readonly edits = new Map<string, string[]>();
  /** By the tenant's code: how often its end was put off, and how often that was asked for. */
  readonly postponed = new Map<string, { done: number; asked: number }>();
  /** By the tenant's code. */
  readonly rotations = new Map<string, number>();
  /** Codes of the rows that programs have written, by the tenant's code. */
  readonly rows = new Map<string, string[]>();
}

interface Worker {
  client: FleetClient;
  /** Among those of its kind. */
  number: number;
  place: Place;
  setup: FleetSetup;
  done: Acknowledged;
}

/** One kind of work, which so many clients do. `turn` does a unit of it, to its end, and pauses come between. */
interface Work {
  clients: number;
  /** In milliseconds. */
  pause: { from: number; to: number };
  /** How many tenants it works on at each place. */
  tenants?: number;
  begin(worker: Worker): () => Promise<void>;
}

/** The code of a tenant that is made for a kind of work. */
export const codeOf = (kind: string, place: Place, number: number): string =>
  `${kind}-${place}-${number}`.toUpperCase();

function tenantOf({ setup }: Worker, code: string): { id: string; place: Place } {
  const tenant = setup.tenants.get(code);
  if (!tenant) throw new Error(`There is no tenant ${code}.`);
  return tenant;
}

/** Of a client that has a tenant of its own. */
const ownCode = (kind: string, { place, number }: Worker) => codeOf(kind, place, Math.floor(number / PLACES.length));

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

/** 50 clients of the API, and four programs of tenants. */
export const WORK: Record<string, Work> = {
  read: { clients: 10, pause: { from: 500, to: 1_500 }, begin: (worker) => () => read(worker) },
  faqs: { clients: 8, pause: { from: 1_000, to: 3_000 }, begin: makeFaqs },
  edit: { clients: 8, pause: { from: 500, to: 2_000 }, tenants: 3, begin: editShared },
  users: { clients: 4, pause: { from: 3_000, to: 6_000 }, begin: makeUsers },
  postpone: { clients: 4, pause: { from: 1_000, to: 3_000 }, tenants: 2, begin: (worker) => () => postpone(worker) },
  tenants: { clients: 4, pause: { from: 3_000, to: 6_000 }, begin: makeTenants },
  rotate: { clients: 4, pause: { from: 2_000, to: 5_000 }, tenants: 2, begin: rotate },
  backup: { clients: 4, pause: { from: 3_000, to: 6_000 }, tenants: 2, begin: (worker) => () => backUp(worker) },
  clone: { clients: 4, pause: { from: 3_000, to: 6_000 }, tenants: 2, begin: cloneAndDelete },
  program: { clients: 4, pause: { from: 200, to: 600 }, tenants: 2, begin: writeRows },
};

/** Reads a list, and finds in it what was acknowledged before, by whichever process. */
async function read(worker: Worker): Promise<void> {
  const { client, done, place } = worker;
  const kind = client.random.pick(['faqs', 'users', 'tenants', 'details']);
  if (kind === 'details') {
    const query = { databaseName: codeOf('program', place, 0) };
    await client.get(databaseRoutes.details, { query, place });
    return;
  }
  const known = kind === 'tenants' ? [...worker.setup.tenants.keys()] : [...done[kind as 'faqs' | 'users']];
  const seen = new Set(await namesIn(client, kind));
  const missing = known.filter((name) => !seen.has(name));
  if (missing.length > 0) throw new Error(`The list of ${kind} lacks ${missing.join(', ')}.`);
}

async function namesIn(client: FleetClient, kind: string): Promise<string[]> {
  if (kind === 'faqs') return (await client.get(faqRoutes.list)).map(({ code }: Faq) => code);
  if (kind === 'users') return (await client.get(userRoutes.list)).map(({ userName }: User) => userName);
  return (await client.get(tenantRoutes.list)).map(({ code }: Tenant) => code);
}

function makeFaqs({ client, number, done }: Worker): () => Promise<void> {
  let made = 0;
  return async () => {
    made += 1;
    const code = `F-${number}-${made}`;
    await client.make(faqRoutes.create, { body: { name: code, code, overview: '<p>Written by a client.</p>' } });
    done.faqs.push(code);
  };
}

/** Makes a user, who signs in and out at once. */
function makeUsers({ client, number, setup, done }: Worker): () => Promise<void> {
  let made = 0;
  return async () => {
    made += 1;
    const userName = `user-${number}-${made}`;
    const body = userInput(userName, setup.roleId);
    await client.make(userRoutes.create, { body });
    done.users.push(userName);
    const credentials = { username: userName, password: body.password };
    const { refreshToken } = await client.get(authRoutes.authenticate, { body: credentials });
    await client.call(authRoutes.logout, { body: { refreshToken } });
  };
}

/** Adds a word to what others write, too: each edit begins with a version, and none may overwrite another one. */
function editShared(worker: Worker): () => Promise<void> {
  const { client, number, done } = worker;
  let made = 0;
  return async () => {
    made += 1;
    const word = `${number}.${made}`;
    const code = codeOf('edit', client.random.pick(PLACES), client.random.integer(0, 2));
    const { id } = tenantOf(worker, code);
    for (let isRepeated = false; ; ) {
      const tenants: Tenant[] = await client.get(tenantRoutes.list);
      const { version, configuration = '' } = tenants.find((tenant) => tenant.id === id) ?? {};
      const words = configuration.split(' ');
      if (!words.includes(word)) {
        const body = { ...tenantInput(code), id, version, configuration: `${configuration} ${word}`.trim() };
        const { answer, wasRepeated } = await client.call(tenantRoutes.edit, { body });
        isRepeated ||= wasRepeated;
        // Somebody else was faster, or an attempt of its own that was cut off.
        if (answer.title === 'Changed meanwhile') continue;
        resultOf(tenantRoutes.edit, answer);
      } else if (!isRepeated) throw new Error(`${code} has ${word} before it was written.`);
      add(done.edits, code, word);
      return;
    }
  };
}

/** Puts the end of a subscription off by a week. The call takes no key: one that was cut off may have been done. */
async function postpone(worker: Worker): Promise<void> {
  const { client, done } = worker;
  const code = ownCode('postpone', worker);
  const counted = done.postponed.get(code) ?? { done: 0, asked: 0 };
  done.postponed.set(code, counted);
  counted.asked += 1;
  const answer = await client.once(tenantRoutes.postponeExpiry, { query: { id: tenantOf(worker, code).id } });
  if (answer && resultOf(tenantRoutes.postponeExpiry, answer)) counted.done += 1;
}

/** How many tenants of its own a client keeps. */
const KEPT_TENANTS = 3;

function makeTenants({ client, number, place, setup, done }: Worker): () => Promise<void> {
  const kept: { id: string; code: string }[] = [];
  let made = 0;
  return async () => {
    made += 1;
    const code = `NEW-${number}-${made}`;
    const body = { ...tenantInput(code), databaseServerId: setup.servers[place] };
    const { id } = await client.make(tenantRoutes.create, { body, place });
    done.tenants.add(code);
    kept.push({ id, code });
    const oldest = kept.length > KEPT_TENANTS ? kept.shift() : undefined;
    if (!oldest) return;
    await client.remove(tenantRoutes.delete, { query: { id: oldest.id }, place });
    done.tenants.delete(oldest.code);
    done.deletedTenants.push(oldest.id);
  };
}

/** Gives a tenant another login, with which one gets in from then on, and with the one before no more. */
function rotate(worker: Worker): () => Promise<void> {
  const { client, place, done } = worker;
  const code = ownCode('rotate', worker);
  const { id } = tenantOf(worker, code);
  let before: string | undefined;
  const logIn = async (connectionString: string): Promise<string> => {
    for (;;) {
      const outcome = await client.program(place, connectionString, ['select', []]);
      if (outcome) return outcome;
      await client.pause();
    }
  };
  return async () => {
    await client.make(credentialRoutes.rotate, { body: { id, overlapMinutes: 0 }, place });
    done.rotations.set(code, (done.rotations.get(code) ?? 0) + 1);
    const { connectionString } = await client.get(credentialRoutes.reveal, { query: { id }, place });
    const outcomes = [await logIn(connectionString), before && (await logIn(before))];
    before = connectionString;
    if (outcomes[0] !== 'done' || outcomes[1] === 'done')
      throw new Error(`After a rotation of ${code} the new login is ${outcomes[0]}, the one before ${outcomes[1]}.`);
  };
}

async function backUp(worker: Worker): Promise<void> {
  const { client, place, done } = worker;
  const databaseName = ownCode('backup', worker);
  const { id } = await client.make(backupRoutes.create, { query: { databaseName }, place });
  add(done.backups, databaseName, id);
}

function cloneAndDelete(worker: Worker): () => Promise<void> {
  const { client, number, place, done } = worker;
  let made = 0;
  return async () => {
    made += 1;
    const databaseName = `CLONE-${number}-${made}`;
    const query = { copyFrom: ownCode('clone', worker), databaseName };
    await client.make(databaseRoutes.copy, { query, place });
    await client.remove(databaseRoutes.delete, { query: { databaseName }, place });
    done.deletedClones.push(databaseName);
  };
}

/** Writes rows as a program of a tenant does, with a login that stays. */
function writeRows(worker: Worker): () => Promise<void> {
  const { client, place, done } = worker;
  const tenant = ownCode('program', worker);
  const { id } = tenantOf(worker, tenant);
  let connectionString: string | undefined;
  let written = 0;
  return async () => {
    connectionString ??= (await client.get(credentialRoutes.reveal, { query: { id }, place }))
      .connectionString as string;
    written += 1;
    const code = `ROW-${written}`;
    const insert = "insert into locations (code, name, kind) values ($1, $1, 'clinic')";
    const outcome = await client.program(place, connectionString, [insert, [code]]);
    if (outcome === 'done') add(done.rows, tenant, code);
    else if (outcome) throw new Error(`The login of ${tenant} is refused: ${outcome}`);
  };
}
