import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it, vi } from 'vitest';
import { makeKillable } from '../testing/killable-installation.ts';
import { readLogins, readUnits, runRecovery, withMachine } from '../testing/lost-machine.ts';
import { makePlainRole } from '../testing/plain-administrator.ts';
import { useSecondServer } from '../testing/second-server.ts';
import { callServer, signInToServer } from '../testing/server-process.ts';

const lost = useSecondServer();
const anew = useSecondServer();
const CODES = ['ONE', 'TWO'];

// Only finds what hangs.
vi.setConfig({ testTimeout: 900_000 });

it('an installation whose administrator is no superuser is backed up, and such a role recovers it on another server [DECISIONS §2] [DECISIONS §13]', async () => {
  await withMachine(
    async ({ installation, dataDir, key, store, settings, makeTenant, backUp, backUpInstallation }, folder) => {
      for (const code of CODES) await makeTenant(code);
      await Promise.all(CODES.map(backUp));
      await backUpInstallation();
      const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
      const logins = await readLogins(await installation.databaseUrl(), secrets);
      await installation.killServer();
      await rm(dataDir, { recursive: true });
      await lost.kill();

      const recovered = join(folder, 'new');
      const url = await makePlainRole(anew);
      const place = { APOTHECA_DATA_DIR: recovered, DATABASE_URL: url };
      const { code, output } = await runRecovery({ ...store, ...place, APOTHECA_BACKUP_IDENTITY: key });
      expect(output).toContain('2 of 2 databases are back.');
      expect(output).toMatch(/^Audit trail: \d+ entries, none altered or removed$/m);
      expect(code).toBe(0);
      for (const login of logins) expect(await readUnits(anew.url, login)).toEqual([login.name]);

      const server = makeKillable(recovered, { ...settings, ...place });
      await server.start();
      try {
        const { url: address } = server.server();
        const token = await signInToServer(address);
        const { result } = await callServer(address, tenantRoutes.list, { token });
        expect(result.map((tenant: { code: string }) => tenant.code).toSorted()).toEqual(CODES);
      } finally {
        await server.stop();
      }
    },
    { DATABASE_URL: await makePlainRole(lost) },
  );
});
