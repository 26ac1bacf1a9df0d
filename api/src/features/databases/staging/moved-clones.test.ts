import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { moveRoutes } from '@apotheca/contract/moves';
import { beforeAll, expect, it } from 'vitest';
import { HOME_SERVER } from '../../../db/clusters.ts';
import { anonymizing } from '../../../testing/anonymizing.ts';
import { useTestApp } from '../../../testing/app.ts';
import { addServer, useSecondServer } from '../../../testing/second-server.ts';
import { getDatabaseByName } from '../databases.service.ts';

const test = useTestApp();
const second = useSecondServer();
const { createFilled } = anonymizing(test);

let serverId: string;
beforeAll(async () => {
  serverId = await addServer(test, second);
  await createFilled('ORIGIN', 3);
  const query = { copyFrom: 'ORIGIN', databaseName: 'STAGING' };
  expect(await test.call(anonymizedCloneRoutes.cloneAnonymized, { query })).toMatchObject({ status: 200 });
});

const POLLING = { interval: 20 };
const found = (name: string) => getDatabaseByName(test.context, name);
const plan = async (name: string, databaseServerId: string) =>
  (await test.call(moveRoutes.planMove, { query: { id: (await found(name)).id, databaseServerId } })).message;
/** What has just been moved is planned once it is open. */
const planned = (name: string, databaseServerId: string) =>
  expect.poll(() => plan(name, databaseServerId), POLLING).toMatch(/^Moving (?!.*refreshed)/);
const move = async (name: string, databaseServerId: string) =>
  test.call(moveRoutes.move, { body: { id: (await found(name)).id, databaseServerId } });
const planRefresh = () => test.call(anonymizedCloneRoutes.planRefresh, { query: { databaseName: 'STAGING' } });
const refresh = () => test.call(anonymizedCloneRoutes.refresh, { query: { databaseName: 'STAGING' } });

it('an anonymized clone is not refreshed from another server, which the plan of a move says [§2.31] [DECISIONS §13]', async () => {
  const parted = 'While they live on different servers, STAGING cannot be refreshed from ORIGIN.';
  expect(await plan('ORIGIN', serverId)).toContain(parted);
  expect(await plan('STAGING', serverId)).toContain(parted);
  expect(await move('ORIGIN', serverId)).toMatchObject({ status: 200 });

  const before = [await found('ORIGIN'), await found('STAGING')];
  const refused = {
    status: 409,
    message:
      'STAGING lives on Home, and ORIGIN, of which it is a copy, on Second: a refresh needs both on one server. Move one of them.',
  };
  expect(await planRefresh()).toMatchObject(refused);
  expect(await refresh()).toMatchObject(refused);
  expect([await found('ORIGIN'), await found('STAGING')]).toEqual(before);

  await planned('ORIGIN', HOME_SERVER);
  await planned('STAGING', serverId);
  expect(await move('STAGING', serverId)).toMatchObject({ status: 200 });
  await expect.poll(async () => (await planRefresh()).status, POLLING).toBe(200);
  expect(await refresh()).toMatchObject({ status: 200, result: { copiedFrom: 'ORIGIN', scan: { found: 0 } } });
});
