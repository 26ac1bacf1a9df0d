import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, isOpen } from '../client-programs/confinement.ts';

const run = promisify(execFile);

/** The account that the embedded PostgreSQL runs as where the server is root. */
export interface Account {
  uid: number;
  gid: number;
  /** The account cannot reach the binaries or the data, as below root's home directory with mode 0700. */
  needsOverride: boolean;
}

/**
 * PostgreSQL refuses to run as root: then it is run as the owner of its folder, as `postgres` or as `nobody`.
 * @param binary one of PostgreSQL's programs
 * @returns undefined where the server is not root: its own account will do
 */
export async function findAccount(dataDir: string, binary: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  const ids =
    owner && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : ((await idsOf('postgres')) ?? (await idsOf('nobody')));
  if (!ids)
    throw new Error(
      'PostgreSQL does not run as root, and there is neither a user postgres nor nobody: set DATABASE_URL.',
    );
  return { ...ids, needsOverride: !((await isOpen(dirname(dataDir))) && (await isOpen(dirname(binary)))) };
}

async function idsOf(user: string): Promise<{ uid: number; gid: number } | undefined> {
  const env = childEnvironment();
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', user], { env }), run('id', ['-g', user], { env })]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/**
 * Runs a program of PostgreSQL to its end, under the account if there is one.
 * @param isHeard what it says is wrong stands in the error. Not for what starts a server, which inherits its output: a pipe would stay open
 * as long as the server runs.
 */
export function execute(
  program: string,
  args: string[],
  account: Account | undefined,
  { isHeard = false } = {},
): Promise<void> {
  const [command, commandArgs, options] = asAccount(program, args, account);
  const stdio: SpawnOptions['stdio'] = ['ignore', 'ignore', isHeard ? 'pipe' : 'ignore'];
  return new Promise((fulfil, reject) => {
    const child = spawn(command, commandArgs, { ...options, stdio, env: childEnvironment() });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const reason = reasonIn(said);
      if (code === 0) fulfil();
      else reject(new Error(`${program} ended with code ${code}${reason && `: ${reason}`}`));
    });
  });
}

/** The line that says what is wrong; what was cleared up after it comes last. */
function reasonIn(said: string): string {
  const lines = said.trim().split('\n');
  return (lines.findLast((line) => /\b(error|fatal|panic)\b/i.test(line)) ?? lines.at(-1) ?? '').trim();
}

function asAccount(program: string, args: string[], account: Account | undefined): [string, string[], SpawnOptions] {
  if (!account) return [program, args, {}];
  // The account may have no access to the working directory; it always has to the root directory.
  if (!account.needsOverride) return [program, args, { uid: account.uid, gid: account.gid, cwd: '/' }];
  return ['setpriv', [...identityOf(account), program, ...args], { cwd: '/' }];
}

/**
 * How to run a program under the account so that the system ends it as soon as this process is gone, even where that was killed.
 * @param signal by which it is ended, without SIG
 * @see setpriv(1)
 */
export function tiedToServer(
  program: string,
  args: readonly string[],
  account: Account | undefined,
  signal: 'KILL' | 'QUIT',
): [string, string[], SpawnOptions] {
  const identity = account ? identityOf(account) : [];
  return ['setpriv', [...identity, `--pdeathsig=${signal}`, program, ...args], { cwd: '/' }];
}

function identityOf({ uid, gid, needsOverride }: Account): string[] {
  const capability = needsOverride ? ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'] : [];
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capability];
}
