import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { faqRoutes } from '@apotheca/contract/faqs';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { faqInput } from '../../testing/faqs.ts';
import { finishedAnswer } from '../../testing/finished-answer.ts';
import { callServer, signInToServer, startServer, withDataDir } from '../../testing/server-process.ts';
import { usePostgresPair } from '../../testing/standby.ts';
import { makeCertificates, showCertificate } from '../../testing/tls-server.ts';
import { findUnreachable } from '../cluster/replication.ts';
import { asCluster } from '../cluster/session.ts';
import { isDatabaseAway, NotPrimary } from '../errors/postgres-errors.ts';
import { openPlatform } from '../platform.ts';
import { readConnectionString, withDatabaseName } from './connection-string.ts';
import { PrimaryClient } from './primary-client.ts';
import { primaryHostsOf, primaryOf } from './primary-hosts.ts';
import { sessionSettings } from './session-settings.ts';

const pair = usePostgresPair();

/** Whether a connection can be made, and if not, why. */
const connecting = (url: string) => {
  const client = new PrimaryClient(sessionSettings(url, 'call'));
  return client.connect().then(
    () => client.end(),
    (error: unknown) => error,
  );
};

const both = (attributes = '') => {
  const { standby, primary } = pair;
  return readConnectionString(pair.urlOf('postgres', [standby, primary]) + attributes);
};

describe('of several hosts', () => {
  it.each(['', '?target_session_attrs=read-write', '?target_session_attrs=primary'])(
    'the primary is found, wherever it stands: %s [DECISIONS §2]',
    async (attributes) => {
      expect(await connecting(both(attributes))).toBeUndefined();
      expect(primaryOf(both(attributes))).toEqual({ host: '127.0.0.1', port: pair.primary.port });
    },
  );

  it('another server is led to the primary for its changes, not to the first [§2.31]', async () => {
    const { standby, primary } = pair;
    const url = readConnectionString(pair.urlOf('postgres', [{ ...standby, port: 1 }, primary]));
    expect(await connecting(url)).toBeUndefined();
    const { platform, pool } = openPlatform({ url: primary.url });
    expect(
      await findUnreachable(asCluster(platform), { url, physicalName: 'postgres', user: 'postgres' }),
    ).toBeUndefined();
    await pool.end();
  });

  it('one that refuses says why [DECISIONS §2]', async () => {
    const missing = withDatabaseName(both(), 'missing');
    expect(await connecting(missing)).toMatchObject({ code: '3D000' });
  });
});

describe('of several hosts whose certificates are verified', () => {
  const askOf = (url: string) => async (statement: string) =>
    (await withClient(url, (client) => client.query(statement))).rows;

  it('the primary is found, and one that shows another certificate is none [DECISIONS §2]', async () => {
    const certificates = await makeCertificates();
    const show = (member: typeof pair.primary, shown: 'right' | 'of another CA' | 'for another host') =>
      showCertificate(member.dataDir, askOf(member.url), certificates[shown]);
    await withDataDir(async (folder) => {
      const caFile = join(folder, 'ca.pem');
      await writeFile(caFile, certificates.ca);
      const hosts = both(`?sslmode=verify-full&sslrootcert=${encodeURIComponent(caFile)}`);
      const verified = hosts.replaceAll('127.0.0.1', 'localhost');
      // A host that cannot be verified is not asked who it is.
      await show(pair.standby, 'for another host');
      await show(pair.primary, 'right');
      const client = new PrimaryClient(sessionSettings(verified, 'call'));
      await client.connect();
      const { rows } = await client.query(
        'select ssl, inet_server_port() as port from pg_stat_ssl where pid = pg_backend_pid()',
      );
      await client.end();
      expect(rows).toEqual([{ ssl: true, port: pair.primary.port }]);
      for (const shown of ['of another CA', 'for another host'] as const) {
        await show(pair.primary, shown);
        primaryHostsOf(verified)?.forget(primaryOf(verified));
        expect(await connecting(verified)).toMatchObject({
          message: expect.stringMatching(new RegExp(`localhost:${pair.primary.port}: [^;]*certificate`)),
        });
      }
    });
  });
});

describe('a server that takes no writes is away', () => {
  it('when it is a standby: no session is left there [§8]', async () => {
    const error = await connecting(pair.standby.url);
    expect(error).toBeInstanceOf(NotPrimary);
    expect(isDatabaseAway(error)).toBe(true);
  });

  it('when it was the primary: its connections are destroyed, and made again once it takes writes [§8]', async () => {
    const set = (value: string) =>
      withClient(pair.primary.url, async (client) => {
        await client.query(`alter system set default_transaction_read_only = ${value}`);
        await client.query('select pg_reload_conf()');
      });
    const { pool } = openPlatform({ url: pair.primary.url });
    const write = () => pool.query('create table written (); drop table written').catch((error: unknown) => error);
    const session = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;
    expect(await write()).not.toBeInstanceOf(Error);
    const before = await session();
    await set('on');
    let error: unknown;
    await expect.poll(async () => (error = await write())).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code: '25006' });
    expect(isDatabaseAway(error)).toBe(true);
    await expect.poll(session).not.toBe(before);
    await set('off');
    await expect.poll(write).not.toBeInstanceOf(Error);
    await pool.end();
  });
});

it('a fail-over is met with 503 and comes back by itself; nothing acknowledged is lost, and no operation fails [§8]', async () => {
  await withDataDir(async (dataDir) => {
    const server = await startServer({
      DATABASE_URL: pair.urlOf('apotheca', [pair.standby, pair.primary]),
      APOTHECA_DATA_DIR: dataDir,
      APOTHECA_ADMIN_PASSWORD: 'administrator-of-a-pair',
      LOG_LEVEL: 'silent',
    });
    try {
      const token = await signInToServer(server.url, 'administrator-of-a-pair');
      const create = await callServer(server.url, tenantRoutes.create, { token, body: tenantInput('PAIR') });
      expect(create).toMatchObject({ status: 200 });
      const { id } = create.result;
      const statuses = new Set<number>();
      const acknowledged: string[] = [];
      const write = async () => {
        const body = faqInput();
        const { status } = await callServer(server.url, faqRoutes.create, { token, body });
        statuses.add(status);
        if (status === 200) acknowledged.push(body.code);
        return status;
      };
      expect(await write()).toBe(200);
      const query = { databaseName: 'PAIR' };
      const begun = await callServer(server.url, backupRoutes.create, { token, query, respondAsync: true });
      expect(begun.status).toBe(202);
      await pair.primary.crash();
      await expect.poll(write).toBe(503);
      await pair.promote();
      await expect.poll(write).toBe(200);
      expect([...statuses].sort()).toEqual([200, 503]);
      const backup = await finishedAnswer(begun, (id) =>
        callServer(server.url, operationRoutes.get, { token, query: { id } }),
      );
      expect(backup).toMatchObject({ status: 200 });
      // Programs are told where the primary is now, and of both hosts.
      const place = await callServer(server.url, credentialRoutes.connection, { token, query: { id } });
      expect(place.result).toMatchObject({ port: pair.standby.port });
      const login = { id, access: 'write' };
      const { result } = await callServer(server.url, credentialRoutes.reveal, { token, query: login });
      expect(await connecting(readConnectionString(result.connectionString))).toBeUndefined();
      expect(result.connectionString).toContain(`:${pair.primary.port}`);
      const faqs = (await callServer(server.url, faqRoutes.list, { token })).result as { code: string }[];
      expect(faqs.map(({ code }) => code)).toEqual(expect.arrayContaining(acknowledged));
    } finally {
      await server.kill();
    }
  });
});
