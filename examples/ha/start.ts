// Starts Apotheca on two pairs of PostgreSQL servers on this machine, until Ctrl-C. README.md says what to try with it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withoutInstallation } from '../../api/src/settings.ts';
import { refuseTakenPort } from '../../scripts/setup.mjs';
import { startPairs } from './pairs.ts';
import { end } from './processes.ts';
import { recordOnce } from './tenant-server.ts';

/** Where everything is kept between two starts. */
const FOLDER = resolve(process.argv[2] ?? '/var/tmp/apotheca-ha');
/** The first of the ports, which are taken one after the other. */
const FIRST_PORT = 15_430;
const HOST = '127.0.0.1';
const PORT = process.env.PORT || 3000;
const APOTHECA = `http://${HOST}:${PORT}`;
const USER = process.env.APOTHECA_ADMIN_USERNAME || 'admin';

async function main(): Promise<void> {
  // Another Apotheca there would be given the record of the second pair.
  await refuseTakenPort(PORT, HOST);
  await requireOwn(FOLDER);
  const dataDir = join(FOLDER, 'apotheca');
  await mkdir(dataDir, { recursive: true });
  const password = await keptPassword();
  let port = FIRST_PORT;
  say(`Starting the pairs in ${FOLDER} …`);
  const { pairs, stop } = await startPairs(['control', 'tenants'], {
    folder: join(FOLDER, 'pairs'),
    password,
    nextPort: () => port++,
  });
  try {
    // As `npm start`, without npm: the end of the terminal would end that before the server.
    const apotheca = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: resolve(import.meta.dirname, '../..'),
      env: {
        // Where the shell has the settings of an installation, that is left alone.
        ...withoutInstallation(process.env),
        PORT: process.env.PORT,
        APOTHECA_ADMIN_USERNAME: process.env.APOTHECA_ADMIN_USERNAME,
        APOTHECA_ADMIN_PASSWORD: process.env.APOTHECA_ADMIN_PASSWORD,
        DATABASE_URL: `postgresql://postgres:${password}@127.0.0.1:${pairs.control.port}/apotheca`,
        APOTHECA_DATA_DIR: dataDir,
      },
      stdio: 'inherit',
    });
    // What a terminal sends, at Ctrl-C or its end, reaches it, too.
    for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
    process.on('SIGTERM', () => void end(apotheca, 'SIGTERM'));
    const ended = new Promise((fulfil) => apotheca.once('exit', fulfil));
    const form = { name: 'Tenants', host: '127.0.0.1', port: pairs.tenants.port, userName: 'postgres', password };
    const note = join(FOLDER, 'tenants-recorded');
    const added = recordOnce({ url: APOTHECA, note, form, signIn: () => firstSignIn(dataDir), ended }).then(
      (isAdded) => isAdded && say('The database server Tenants has a record: tenants can be placed there.'),
      (error: Error) => say(`The server Tenants has no record: ${error.message}`),
    );
    await ended;
    await added;
  } finally {
    say('Stopping the pairs …');
    await stop();
  }
}

/**
 * Makes a folder, or takes up one of an earlier start. Anybody may have made one of this name in /var/tmp, with a password that they know, or
 * a link to a folder that would be given to PostgreSQL's account.
 * @throws Error where somebody else can write to it
 */
async function requireOwn(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return;
  throw new Error(`${folder} is not a folder that you alone may write to: name another one.`);
}

/** The password of both superusers, made by the first start. */
async function keptPassword(): Promise<string> {
  const file = join(FOLDER, 'password');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept) return kept;
  const made = randomBytes(18).toString('base64url');
  await writeFile(file, made, { mode: 0o600 });
  return made;
}

/** How the first administrator signs in, until that is changed in the console. */
async function firstSignIn(dataDir: string): Promise<{ username: string; password: string }> {
  const { adminPassword } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  return { username: USER, password: process.env.APOTHECA_ADMIN_PASSWORD || adminPassword };
}

// Nobody reads what is said after the end of the terminal; the pairs are stopped all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const say = (line: string) => process.stdout.write(`${line}\n`);

main().then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
