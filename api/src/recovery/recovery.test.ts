import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it, vi } from 'vitest';
import { formatAnchor, trailName } from '../audit/signatures.ts';
import { deriveKeys } from '../secrets.ts';
import { readCommands } from '../testing/guide.ts';
import { makeKillable } from '../testing/killable-installation.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { readLogins, readUnits, withMachine } from '../testing/lost-machine.ts';
import { callServer, signInToServer } from '../testing/server-process.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TENANTS = Array.from(
  { length: IS_LONG_RUN ? 20 : 3 },
  (_, index) => `CLINIC${String(index + 1).padStart(2, '0')}`,
);

/** Puts an anchor of an entry that no backup of the installation has into a store. @param store a folder's, as APOTHECA_BACKUP_STORES names it */
async function putAnchor(store: string, secret: string): Promise<void> {
  const { audit } = deriveKeys(secret);
  const line = formatAnchor(audit, { lastId: '4711', lastHash: Buffer.alloc(32), on: new Date().toISOString() });
  const name = `audit-anchor-${trailName(audit)}-${'4711'.padStart(19, '0')}.txt`;
  await writeFile(join(store.slice('file:'.length), name), `${line}\n`);
}

// Only finds what hangs.
vi.setConfig({ testTimeout: 900_000 });

it(`brings control database, ${TENANTS.length} tenants, roles, passwords and audit trail back by the commands of the guide alone [DECISIONS §13]`, async () => {
  await withMachine(async ({ installation, dataDir, key, store, makeTenant, backUp, backUpInstallation }, folder) => {
    for (const code of TENANTS) await makeTenant(code);
    await Promise.all(TENANTS.map(backUp));
    await backUpInstallation();
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
    const logins = await readLogins(await installation.databaseUrl(), secrets);
    // The verification of the night, a moment before the loss.
    await putAnchor(store.APOTHECA_BACKUP_STORES ?? '', secrets.secret);
    await installation.killPostgres();
    await rm(dataDir, { recursive: true });

    const recovered = join(folder, 'new');
    const commands = (await readCommands('When the machine is lost'))
      .join('\n')
      .split('\n')
      .filter((line) => line !== 'npm start')
      .join('\n')
      .replace("'file:/mnt/nas/apotheca'", `'${store.APOTHECA_BACKUP_STORES}'`)
      .replace('/media/safe/apotheca.key', key)
      .replace('data/recovered.env', join(recovered, 'recovered.env'));
    expect(commands).toContain('npm run recover');
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, APOTHECA_DATA_DIR: recovered };
    const { stdout } = await run('sh', ['-e', '-c', `${commands}\nenv`], { cwd: ROOT, env });
    expect(stdout).toContain(`${TENANTS.length} of ${TENANTS.length} databases are back.`);
    expect(stdout).toMatch(/^Audit trail: \d+ entries, none altered or removed$/m);
    expect(stdout).toMatch(/^Audit trail: a verification found entries up to 4711; those from \d+ on .* are gone$/m);
    expect(stdout).toMatch(/^Recovered in \d+ s\.$/m);
    expect(stdout).toContain('APOTHECA_PARK_DAYS=9\n');
    expect(JSON.parse(await readFile(join(recovered, 'secrets.json'), 'utf8'))).toEqual(secrets);
    expect((await readdir(recovered)).toSorted()).toEqual(['backups', 'postgres', 'recovered.env', 'secrets.json']);

    const settings = [...stdout.matchAll(/^(APOTHECA_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    const server = makeKillable(recovered, Object.fromEntries(settings));
    await server.start();
    try {
      const url = await server.databaseUrl();
      // The old logins, by the old passwords.
      for (const login of logins) expect(await readUnits(url, login)).toEqual([login.name]);
      const { url: address } = server.server();
      const token = await signInToServer(address);
      const { result } = await callServer(address, tenantRoutes.list, { token });
      expect(result.map(({ code }: { code: string }) => code).toSorted()).toEqual(TENANTS);
    } finally {
      await server.stop();
    }
  });
});
