import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backupRoutes } from '@apotheca/contract/backups';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { vi } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { decrypt, deriveKeys, type StoredSecrets } from '../secrets.ts';
import { ADMINISTRATOR } from './administrator.ts';
import type { Answer } from './app.ts';
import { tenantInput } from './builders.ts';
import { withClient } from './databases.ts';
import { type KillableInstallation, makeKillable } from './killable-installation.ts';
import { callServer, type FinishedProcess, NODE_COMPILE_CACHE, signInToServer } from './server-process.ts';

const COMMAND = fileURLToPath(new URL('../recover.ts', import.meta.url));
/** Every wait only finds what hangs. */
export const PATIENCE = { timeout: 300_000, interval: 50 };

/** A machine that is going to be lost, and what outlives it: the store and the key. */
export interface LosableMachine {
  installation: KillableInstallation;
  dataDir: string;
  /** File of the operator's key. */
  key: string;
  /** What `npm run recover` needs of the environment. */
  store: Record<string, string>;
  /** Environment of its server. */
  settings: Record<string, string>;
  call(route: ContractRoute, options?: Parameters<typeof callServer>[2]): Promise<Answer>;
  /** Makes a tenant with a unit of its name in its database. @param server another one than the home server */
  makeTenant(code: string, server?: { id: string; url: string }): Promise<void>;
  /** Backs a database up, and waits until the store has it. @returns the backup's id */
  backUp(code: string): Promise<string>;
  /** Waits until the store has a backup of the installation that was begun after now. */
  backUpInstallation(): Promise<void>;
}

/**
 * Runs `work` with a server that copies its backups.
 * @param setting of the store; absent: a folder
 */
export async function withMachine(
  work: (machine: LosableMachine, folder: string) => Promise<void>,
  { setting, ...environment }: Record<string, string> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-lost-'));
  const copies = await mkdtemp(join(tmpdir(), 'apotheca-copies-'));
  const identity = await generateX25519Identity();
  const key = join(copies, 'key.txt');
  await writeFile(key, `# made by a test\n${identity}\n`);
  const store = { APOTHECA_BACKUP_STORES: setting ?? `file:${copies}`, ...environment };
  const dataDir = join(folder, 'old');
  const settings = {
    APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
    APOTHECA_DEMO: 'off',
    APOTHECA_PARK_DAYS: '9',
    APOTHECA_BACKUP_RECIPIENT: await identityToRecipient(identity),
    ...store,
  };
  const installation = makeKillable(dataDir, settings);
  try {
    await installation.start();
    await work(machineOf(installation, { dataDir, key, store, settings }), folder);
  } finally {
    await installation.stop().catch(() => {});
    await Promise.all([folder, copies].map((each) => rm(each, { recursive: true, force: true })));
  }
}

function machineOf(
  installation: KillableInstallation,
  known: Pick<LosableMachine, 'dataDir' | 'key' | 'store' | 'settings'>,
): LosableMachine {
  const query = async (text: string, values: unknown[] = []) =>
    (await withClient(await installation.databaseUrl(), (client) => client.query(text, values))).rows;
  let token: Promise<string> | undefined;
  const call = async (route: ContractRoute, options = {}) => {
    const { url } = installation.server();
    token ??= signInToServer(url);
    return callServer(url, route, { ...options, token: await token });
  };
  const until = (text: string, values?: unknown[]) =>
    vi.waitFor(async () => {
      if ((await query(text, values)).length === 0) throw new Error(`Still waiting: ${text}`);
    }, PATIENCE);
  return {
    installation,
    ...known,
    call,
    async makeTenant(code, server) {
      const body = { ...tenantInput(code), ...(server && { databaseServerId: server.id }) };
      const { success, message } = await call(tenantRoutes.create, { body });
      if (!success) throw new Error(message);
      const [row] = await query('select physical_name from databases where name = $1', [code]);
      const url = withDatabaseName(server?.url ?? (await installation.databaseUrl()), row.physical_name);
      await withClient(url, (client) =>
        client.query("insert into public.units (name, abbreviation) values ($1, 'u')", [code]),
      );
    },
    async backUp(code) {
      const { result } = await call(backupRoutes.create, { query: { databaseName: code } });
      await until("select from backup_copies where backup_id = $1 and state = 'copied'", [result.id]);
      return result.id;
    },
    async backUpInstallation() {
      // Also if the newest one, of the server's start, knows all that there is: the next one would come after a day. But not while that is
      // being made, from what there was before now: its end would count as the one that is waited for.
      await until("update installation_copies set due_at = now(), mark = '' where state <> 'copying' returning store");
      // Each that is made has one.
      await until("select from installation_copies where mark <> ''");
    },
  };
}

/** A recovery under way. */
interface RunningRecovery {
  output(): string;
  /** SIGKILL. */
  kill(): void;
  ended: Promise<FinishedProcess>;
}

export function startRecovery(environment: Record<string, string>, options: readonly string[] = []): RunningRecovery {
  const child = spawn(process.execPath, [COMMAND, ...options], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...environment },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  return {
    output: () => text,
    kill: () => child.kill('SIGKILL'),
    ended: once(child, 'close').then(([code]) => ({ code, output: text })),
  };
}

/** Runs `npm run recover` to its end. */
export const runRecovery = (
  environment: Record<string, string>,
  options?: readonly string[],
): Promise<FinishedProcess> => startRecovery(environment, options).ended;

/** What a tenant's own login finds in its database. */
export interface TenantLogin {
  name: string;
  physicalName: string;
  roleName: string;
  password: string;
}

/** The logins of all databases, with their passwords as the installation keeps them. @param controlUrl of a superuser */
export async function readLogins(controlUrl: string, { secret }: StoredSecrets): Promise<TenantLogin[]> {
  const keys = deriveKeys(secret);
  const { rows } = await withClient(controlUrl, (client) =>
    client.query(
      "select name, physical_name, role_name, role_password from databases where state = 'ready' order by name",
    ),
  );
  return rows.map((row) => ({
    name: row.name,
    physicalName: row.physical_name,
    roleName: row.role_name,
    password: decrypt(keys.databases, row.role_password),
  }));
}

/** Signs in as a tenant's program does. @returns the names of the units in its database */
export async function readUnits(controlUrl: string, login: TenantLogin): Promise<string[]> {
  const url = new URL(withDatabaseName(controlUrl, login.physicalName));
  url.username = login.roleName;
  url.password = encodeURIComponent(login.password);
  const { rows } = await withClient(url.href, (client) => client.query('select name from public.units order by name'));
  return rows.map(({ name }) => name);
}
