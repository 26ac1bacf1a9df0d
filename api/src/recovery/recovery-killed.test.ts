import { access, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { withClient } from '../testing/databases.ts';
import { killPostgres, makeKillable } from '../testing/killable-installation.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { PATIENCE, readLogins, readUnits, runRecovery, startRecovery, withMachine } from '../testing/lost-machine.ts';

const TENANTS = ['FIRST', 'SECOND', 'THIRD'];

// Only finds what hangs.
vi.setConfig({ testTimeout: 900_000 });

it('goes on where it was after each of several kills, and leaves nothing of them [DECISIONS §13]', async () => {
  await withMachine(
    async ({ installation, dataDir, key, store, settings, makeTenant, backUp, backUpInstallation }, folder) => {
      for (const code of TENANTS) await makeTenant(code);
      const ids: string[] = [];
      for (const code of TENANTS) ids.push(await backUp(code));
      await backUpInstallation();
      const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
      const logins = await readLogins(await installation.databaseUrl(), secrets);
      await installation.killPostgres();
      await rm(dataDir, { recursive: true });

      // A run that has recovered everything would leave nothing to the next one, and a kill may come too late. So one archive is
      // away until the last run.
      const archive = join((store.APOTHECA_BACKUP_STORES ?? '').slice('file:'.length), `${ids.at(-1)}.dump.age`);
      const away = join(folder, 'away');
      await rename(archive, away);
      const recovered = join(folder, 'new');
      const environment = { ...store, APOTHECA_DATA_DIR: recovered, APOTHECA_BACKUP_IDENTITY: key };
      const wasMade = (name: string) => () => access(join(recovered, name));
      const says = (text: string | RegExp) => (output: string) => expect(output).toMatch(text);
      const moments: ((output: string) => unknown)[] = [
        wasMade('recovery.json'),
        wasMade('recovery/installation.dump'),
        wasMade('secrets.json'),
        wasMade('postgres/postmaster.pid'),
        wasMade('recovered.env'),
        says('Control database: as of'),
        wasMade('backups'),
        says(/: restored from its backup of/),
        says('Audit trail: '),
      ];
      // In a long run at each moment, otherwise at every fourth: while the cluster is made, and while databases are restored.
      for (const moment of moments.filter((_, index) => IS_LONG_RUN || index % 4 === 3)) {
        const run = startRecovery(environment);
        let hasEnded = false;
        void run.ended.then(() => {
          hasEnded = true;
        });
        await vi.waitFor(() => hasEnded || moment(run.output()), { ...PATIENCE, interval: 5 });
        run.kill();
        await run.ended;
      }
      const abandoned = startRecovery(environment);
      await vi.waitFor(() => says('Control database: as of')(abandoned.output()), { ...PATIENCE, interval: 5 });
      await killPostgres(join(recovered, 'postgres'));
      expect(await abandoned.ended).toMatchObject({ code: 1, output: expect.stringContaining('PostgreSQL has ended') });
      await rename(away, archive);
      const { code, output } = await runRecovery(environment);
      expect(output).toContain('3 of 3 databases are back.');
      expect(code).toBe(0);
      expect((await readdir(recovered)).toSorted()).toEqual(['backups', 'postgres', 'recovered.env', 'secrets.json']);
      expect((await readdir(join(recovered, 'backups'))).filter((name) => !name.endsWith('.dump'))).toEqual([]);

      const server = makeKillable(recovered, settings);
      await server.start();
      try {
        const url = await server.databaseUrl();
        for (const login of logins) expect(await readUnits(url, login)).toEqual([login.name]);
        const { rows } = await withClient(url, (client) =>
          client.query(`select datname as name from pg_database where datname like 'db\\_%' order by 1`),
        );
        expect(rows.map(({ name }) => name)).toEqual(logins.map(({ physicalName }) => physicalName).toSorted());
      } finally {
        await server.stop();
      }
      // From its start on it is an installation like any other.
      const again = await runRecovery(environment);
      expect(again).toMatchObject({ code: 1, output: expect.stringContaining('has an installation already') });
    },
  );
});
