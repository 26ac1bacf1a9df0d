import { afterEach, expect, test, vi } from 'vitest';
import { startProcess } from './processes.ts';

afterEach(() => vi.unstubAllEnvs());

test('a measurement takes over no setting of the installation whose shell it runs in', async () => {
  const theirs = {
    DATABASE_URL: 'postgresql://db.clinic.test/apotheca',
    DATABASE_URL_FILE: '/etc/apotheca/database-url',
    APOTHECA_SECRET: 'theirs',
    APOTHECA_BACKUP_STORES: 's3://backups',
    PGPASSWORD: 'theirs',
    AWS_SECRET_ACCESS_KEY: 'theirs',
    HOST: '0.0.0.0',
    LOG_LEVEL: 'silent',
  };
  for (const [name, value] of Object.entries({ ...theirs, PG_BIN_DIR: '/opt/bin' })) vi.stubEnv(name, value);
  const server = `
    const server = require('node:http').createServer((_, response) => response.end(JSON.stringify(process.env)));
    server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;
  const { url, stop } = await startProcess(process.execPath, ['-e', server], { APOTHECA_SECRET: 'ours' });
  const given = (await (await fetch(url)).json()) as Record<string, string>;
  await stop();
  const known = Object.keys({ ...theirs, PG_BIN_DIR: '', PATH: '' });
  expect(Object.fromEntries(known.flatMap((name) => (given[name] ? [[name, given[name]]] : [])))).toEqual({
    APOTHECA_SECRET: 'ours',
    PG_BIN_DIR: '/opt/bin',
    PATH: process.env.PATH,
  });
});
