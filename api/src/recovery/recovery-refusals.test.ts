import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateX25519Identity } from 'age-encryption';
import { expect, it } from 'vitest';
import { createEmptyDatabase, withClient } from '../testing/databases.ts';
import { runRecovery, withMachine } from '../testing/lost-machine.ts';
import { runServer } from '../testing/server-process.ts';

it('says in one line why it cannot begin, and then has changed nothing [DECISIONS §13]', async () => {
  await withMachine(async ({ installation, dataDir, key, store, backUpInstallation }, folder) => {
    await backUpInstallation();
    await installation.stop();
    const copies = (store.APOTHECA_BACKUP_STORES ?? '').slice('file:'.length);
    // The newest, which is tried: that of the server's start may still be there.
    const object = (await readdir(copies))
      .filter((name) => name.startsWith('installation-'))
      .toSorted()
      .at(-1);
    if (!object) throw new Error('There is no backup of the installation.');
    const target = join(folder, 'new');
    const environment = { ...store, APOTHECA_DATA_DIR: target, APOTHECA_BACKUP_IDENTITY: key };
    const refusal = async (settings: Record<string, string>, options: string[] = []) => {
      const { code, output } = await runRecovery({ ...environment, ...settings }, options);
      expect({
        code,
        lines: output
          .trim()
          .split('\n')
          .filter((line) => !line.startsWith('Recovering from')).length,
      }).toEqual({ code: 1, lines: 1 });
      return output;
    };

    expect(await refusal({ APOTHECA_BACKUP_IDENTITY: '' })).toContain('Name the file of your key');
    expect(await refusal({}, ['--identity', join(folder, 'none')])).toContain('cannot be used: ENOENT');
    const other = join(folder, 'other.txt');
    await writeFile(other, 'AGE-SECRET-KEY-1WRONG');
    const malformed = await refusal({}, ['--identity', other]);
    expect(malformed).toContain('it is no key of age');
    expect(malformed).not.toContain('WRONG');
    expect(await refusal({ APOTHECA_BACKUP_STORES: '' })).toContain('Set APOTHECA_BACKUP_STORES');
    expect(await refusal({}, ['--unknown'])).toContain('The options are');
    const empty = await mkdtemp(join(tmpdir(), 'apotheca-empty-'));
    expect(await refusal({ APOTHECA_BACKUP_STORES: `file:${empty}` })).toContain(
      'There is no backup of an installation',
    );
    await rm(empty, { recursive: true });
    expect(await refusal({ APOTHECA_BACKUP_STORES: `file:${empty}` })).toContain('cannot be read: ENOENT');
    expect(await refusal({ APOTHECA_DATA_DIR: dataDir })).toContain('has an installation already (secrets.json)');
    const database = await createEmptyDatabase();
    await withClient(database.url, (client) => client.query('create table something ()'));
    expect(await refusal({ DATABASE_URL: database.url })).toContain('has something in it already');
    await database.drop();
    // What cannot be written, as on a disk that is read-only or full.
    const taken = join(folder, 'taken');
    await mkdir(join(taken, 'recovery.json.new'), { recursive: true });
    expect(await refusal({ APOTHECA_DATA_DIR: taken })).toContain('Not recovered: EISDIR');
    // Nothing of all that was a beginning.
    expect(await readdir(target).catch(() => [])).toEqual([]);

    await writeFile(other, await generateX25519Identity());
    expect(await refusal({}, ['--identity', other])).toContain(`The key does not open ${object}`);
    expect(await refusal({ APOTHECA_SECRET: 'another secret that is long enough' })).toContain(
      'APOTHECA_SECRET is not the secret',
    );
    expect(await readdir(target)).toEqual(['recovery.json']);
    const started = await runServer({ APOTHECA_DATA_DIR: target });
    expect(started).toMatchObject({ code: 1, output: expect.stringContaining('only half recovered') });
    const why = `${join(target, 'recovery.json')} is damaged: remove the whole data folder, and recover again`;
    // Cut by a disk that was full; with a field that nobody wrote.
    for (const text of ['{', '{}']) {
      await writeFile(join(target, 'recovery.json'), text);
      expect(await refusal({})).toContain(`Not recovered: ${why}`);
      const server = await runServer({ APOTHECA_DATA_DIR: target });
      expect(server).toMatchObject({ code: 1, output: expect.stringContaining(`Apotheca cannot start: ${why}`) });
    }

    await rm(target, { recursive: true });
    const damaged = join(folder, 'damaged');
    await mkdir(damaged);
    await copyFile(join(copies, object), join(damaged, object));
    const { length } = await readFile(join(damaged, object));
    await truncate(join(damaged, object), length - 1);
    expect(await refusal({ APOTHECA_BACKUP_STORES: `file:${damaged}` })).toContain(
      `${object} in file:${damaged} cannot be opened`,
    );
    await truncate(join(damaged, object), 10);
    await rm(target, { recursive: true });
    expect(await refusal({ APOTHECA_BACKUP_STORES: `file:${damaged}` })).toContain(
      `${object} in file:${damaged} cannot be opened`,
    );
    await installation.start();
  });
});
