import { readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { TLS_USER, useTlsServer } from '../../testing/tls-server.ts';
import { getDatabaseByName } from '../databases/databases.service.ts';
import { connectionStringFor } from './server-address.ts';

const test = useTestApp();
const server = useTlsServer();

const create = (fields: object = {}) =>
  test.call(databaseServerRoutes.create, {
    body: {
      ...TLS_USER,
      name: 'Encrypted',
      host: 'localhost',
      port: server.port,
      tls: 'verify-full',
      caCertificate: server.ca,
      ...fields,
    },
  });

it.each([
  ['of another CA', /^The server cannot be reached: its certificate is not issued by a trusted CA \([A-Z_]+\)\.$/],
  [
    'for another host',
    'The server cannot be reached: its certificate is not for the host name localhost, but for DNS:db.clinic.test.',
  ],
  ['expired', 'The server cannot be reached: its certificate has expired.'],
  ['nothing', 'The server cannot be reached: it offers no TLS.'],
] as const)('a server whose certificate is %s is refused, with that as the reason [§2.30]', async (shown, message) => {
  await server.show(shown);
  const host = [typeof message === 'string' ? message : expect.stringMatching(message)];
  expect(await create()).toMatchObject({ status: 409, errors: { host } });
  // What encrypts without verifying is refused only where there is nothing to encrypt with.
  if (shown === 'nothing') expect(await create({ tls: 'require' })).toMatchObject({ status: 409, errors: { host } });
  await server.show('right');
});

it('a server is refused under another name than that of its certificate, with another CA, and unencrypted [§2.30]', async () => {
  expect(await create({ host: '127.0.0.1' })).toMatchObject({
    errors: {
      host: [
        'The server cannot be reached: its certificate is not for the host name 127.0.0.1, but for DNS:localhost.',
      ],
    },
  });
  expect(await create({ caCertificate: server.otherCa })).toMatchObject({
    errors: { host: [expect.stringMatching(/ its certificate is not issued by a trusted CA /)] },
  });
  expect(await create({ tls: 'disable' })).toMatchObject({
    errors: { host: [expect.stringMatching(/no pg_hba\.conf entry .*no encryption/)] },
  });
});

it('the file of a CA is written once, as somebody may be reading it, and again where it is gone [§2.30]', async () => {
  const way = { ...TLS_USER, host: 'localhost', port: 5432, tls: 'verify-full', caCertificate: server.ca } as const;
  const path = async () =>
    new URL(await connectionStringFor(test.context.keys, way)).searchParams.get('sslrootcert') ?? '';
  const before = await stat(await path());
  expect(await stat(await path())).toEqual(before);
  await rm(dirname(await path()), { recursive: true });
  expect(await readFile(await path(), 'utf8')).toBe(server.ca);
});

it('a tenant lives on a server that is verified: all connections to it are encrypted, those of client programs too [§2.30]', async () => {
  const { result } = await create();
  const body = { ...tenantInput('SEALED'), databaseServerId: result.id };
  expect(await test.call(tenantRoutes.create, { body })).toMatchObject({ status: 200 });
  const made = await test.call(backupRoutes.create, { query: { databaseName: 'SEALED' } });
  expect(made).toMatchObject({ status: 200 });
  const restored = await test.call(backupRoutes.restore, { query: { id: made.result.id, databaseName: 'OPENED' } });
  expect(restored).toMatchObject({ status: 200 });
  const row = await getDatabaseByName(test.context, 'SEALED');
  const revealed = await test.call(credentialRoutes.reveal, { query: { id: String(row.tenantId), access: 'write' } });
  expect(revealed.result).toMatchObject({ sslmode: 'verify-full', host: 'localhost' });
  expect(await plainSessions()).toEqual([]);

  // Programs of the tenant, and what the server does there later, meet the same certificate.
  await server.show('expired');
  const checked = await test.call(databaseServerRoutes.check, { body: { id: result.id } });
  expect(checked.result.points).toEqual([{ point: 'reached', passed: false, detail: 'its certificate has expired' }]);
  expect(await test.call(backupRoutes.list, { query: { databaseName: 'SEALED' } })).toMatchObject({ status: 200 });
  const asked = test.context.tenants.with(row, (client) => client.query('select'));
  await expect(asked).rejects.toMatchObject({
    code: 'database-away',
    cause: expect.objectContaining({ code: 'CERT_HAS_EXPIRED' }),
  });
  await server.show('right');
  expect((await test.context.tenants.with(row, (client) => client.query('select'))).rowCount).toBe(1);
});

/** Sessions of others than the tests themselves that are not encrypted. */
const plainSessions = () =>
  server.ask(`
    select usename, application_name from pg_stat_activity a join pg_stat_ssl s using (pid)
    where not s.ssl and usename <> 'postgres'`);
