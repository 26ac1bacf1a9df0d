import { randomUUID } from 'node:crypto';
import { moveRoutes } from '@apotheca/contract/moves';
import { type Finding, reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { countForeign } from '../../../db/cluster/administrator-rights.ts';
import { ownershipMark } from '../../../db/cluster/ownership-mark.ts';
import { markAsSwapped } from '../../../db/cluster/swap-mark.ts';
import { HOME_SERVER } from '../../../db/clusters.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { addServer, useSecondServer } from '../../../testing/second-server.ts';
import { getDatabaseByName } from '../databases.service.ts';

const test = useTestApp();
const second = useSecondServer();

let serverId: string;
beforeAll(async () => {
  serverId = await addServer(test, second);
});

const create = async (code: string): Promise<string> => {
  const body = { ...tenantInput(code), databaseServerId: HOME_SERVER };
  return (await test.call(tenantRoutes.create, { body })).result.id;
};
const findings = async (): Promise<Finding[]> => (await test.call(reconciliationRoutes.reconcile)).result.findings;
const fix = ({ kind, subject }: Finding) => test.call(reconciliationRoutes.fix, { query: { kind, subject } });
const onSecond = (statement: string) => withClient(second.url, (client) => client.query(statement));
/** The comment of what this installation makes on a server, as SQL writes it. */
const markOn = async (server: string) =>
  pg.escapeLiteral(await ownershipMark((await test.context.clusters.of(server)).platform));

describe('Reconcile with more than one server', () => {
  it('finds nothing of a move that has changed both servers and not yet the registry [DECISIONS §8]', async () => {
    await installStops(test.databaseUrl);
    const id = await create('MOVED');
    for (const databaseServerId of [serverId, HOME_SERVER]) {
      const start = () => test.call(moveRoutes.move, { body: { id, databaseServerId } });
      await holdAt(test.databaseUrl, { kind: 'move', point: 'succeeded' }, start, async () => {
        expect(await findings()).toEqual([]);
      });
      expect((await getDatabaseByName(test.context, 'MOVED')).serverId).toBe(databaseServerId);
      // A move is told as done some moments before its database is opened.
      await expect.poll(findings).toEqual([]);
    }
    await removeStops(test.databaseUrl);
  });

  it('tells two findings of one name apart, and fixes the one that is meant [DECISIONS §8]', async () => {
    const make = async (server: string) =>
      `create role db_orphan; comment on role db_orphan is ${await markOn(server)}`;
    await test.context.pool.query(await make(HOME_SERVER));
    await onSecond(await make(serverId));
    const orphan = { kind: 'role-without-database' as const, subject: 'db_orphan' };
    const [atHome, elsewhere] = ['Home', 'Second'].map((server) => expect.objectContaining({ ...orphan, server }));
    expect(await findings()).toEqual([atHome, elsewhere]);
    expect(await test.call(reconciliationRoutes.fix, { query: orphan })).toMatchObject({
      status: 409,
      message: 'There is such a finding on each of Home and Second. Name the one that is meant.',
    });
    const onServer = (server: string) => test.call(reconciliationRoutes.fix, { query: { ...orphan, server } });
    expect(await onServer('Second')).toMatchObject({ status: 200, result: { ...orphan, server: 'Second' } });
    expect(await findings()).toEqual([atHome]);
    expect(await onServer('Second')).toMatchObject({ status: 404 });
    expect(await test.call(reconciliationRoutes.fix, { query: orphan })).toMatchObject({ status: 200 });
    const entries = await test.context.pool.query(
      "select changes::jsonb ->> 'server' as server from audit_entries where action = 'databases.reconcile' and entity_id = 'db_orphan' order by id",
    );
    expect(entries.rows).toEqual([{ server: 'Second' }, { server: 'Home' }]);
  });

  it('says of a finding on a server that does not answer that nothing is known of it [DECISIONS §8]', async () => {
    await onSecond(`create role db_away; comment on role db_away is ${await markOn(serverId)}`);
    const away = { kind: 'role-without-database' as const, subject: 'db_away' };
    expect(await findings()).toMatchObject([{ ...away, server: 'Second' }]);
    const message =
      'Whether this finding still exists is not known without Second: nothing was changed. Please try again later.';
    second.link.set('reset');
    const answers = [
      await test.call(reconciliationRoutes.fix, { query: { ...away, server: 'Second' } }),
      await test.call(reconciliationRoutes.fix, { query: away }),
    ];
    const others = [
      await test.call(reconciliationRoutes.fix, { query: { ...away, server: 'Home' } }),
      await test.call(reconciliationRoutes.fix, { query: { kind: 'tenant-without-database', subject: 'NONE' } }),
    ];
    second.link.set('pass');
    expect(answers).toMatchObject(Array(2).fill({ status: 503, message }));
    expect(others.map(({ status }) => status)).toEqual([404, 404]);
    await expect.poll(findings).toMatchObject([{ ...away, server: 'Second' }]);
    expect((await fix({ ...away } as Finding)).status).toBe(200);
  });

  it('finds what no operation knows any more, also where a killed one has left its note of a swap there [DECISIONS §8]', async () => {
    const { platform } = await test.context.clusters.of(serverId);
    const countOthers = () =>
      withClient(second.url, async (client) => {
        await client.query('set role stranger');
        return (await countForeign(client, await ownershipMark(platform))).databases;
      });
    await onSecond('create role stranger');
    const before = await countOthers();
    await onSecond('create database db_noted');
    await markAsSwapped(platform, 'db_noted', randomUUID());
    expect(await findings()).toMatchObject([{ kind: 'database-without-owner', subject: 'db_noted', server: 'Second' }]);
    expect(await countOthers()).toBe(before + 1);
    await onSecond('drop database db_noted');
    await onSecond('drop role stranger');
  });

  it('registers no database under the name of one that lives on another server [DECISIONS §8]', async () => {
    await create('TWICE');
    const { physicalName } = await getDatabaseByName(test.context, 'TWICE');
    await onSecond(`create database ${physicalName}`);
    await onSecond(`comment on database ${physicalName} is ${await markOn(serverId)}`);
    const [found, ...others] = await findings();
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'database-without-owner', subject: physicalName, fix: 'none' });
    expect(found?.explanation).toMatch(/, and the registered database of that name lives on Home\. Look at /);
    expect(await fix(found as Finding)).toMatchObject({ status: 409, message: found?.explanation });
    await onSecond(`drop database ${physicalName}`);
  });
});
