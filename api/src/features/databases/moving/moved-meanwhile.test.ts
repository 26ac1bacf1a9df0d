import { randomUUID } from 'node:crypto';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { moveRoutes } from '@apotheca/contract/moves';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { SERVER_ACTOR } from '../../../actor.ts';
import { HOME_SERVER } from '../../../db/clusters.ts';
import type { OperationKind } from '../../../operations/operation-kind.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { listMoveRemains } from '../../../testing/moved-tenant.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { addServer, useSecondServer } from '../../../testing/second-server.ts';
import { restoreOperation } from '../backups/restore.operation.ts';
import { cloneOperation } from '../clone.operation.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { moveOperation } from './move.operation.ts';

const test = useTestApp();
const second = useSecondServer();

let serverId: string;
beforeAll(async () => {
  serverId = await addServer(test, second);
  await installStops(test.databaseUrl);
});

const create = async (code: string): Promise<string> => {
  const body = { ...tenantInput(code), databaseServerId: HOME_SERVER };
  const { status, message, result } = await test.call(tenantRoutes.create, { body });
  expect(status, message).toBe(200);
  return result.id;
};
const move = (id: string) => test.call(moveRoutes.move, { body: { id, databaseServerId: serverId } });
/** What a program sees that logs in. */
const seenBy = async (id: string) => {
  const { result } = await test.call(credentialRoutes.reveal, { query: { id, access: 'write' } });
  return withClient(result.connectionString, async (client) => {
    await client.query("insert into locations (code, name, kind) values (gen_random_uuid()::text, 'L', 'clinic')");
    return (await client.query('select session_user::text as login, current_user::text as role')).rows;
  });
};

describe('an operation that is prepared while its database moves away', () => {
  const kinds = {
    'a move': async (row: { id: string; name: string }) => [moveOperation, { databaseId: row.id, serverId }],
    'a clone': async (row: { id: string; name: string }) => [
      cloneOperation,
      { copyFrom: row.name, databaseName: `${row.name} COPY` },
    ],
    'a restore over it': async ({ id, name }: { id: string; name: string }) => {
      const backup = await test.call(backupRoutes.create, { query: { databaseName: name } });
      return [restoreOperation, { backupId: backup.result.id, databaseName: name, databaseId: id }];
    },
  };

  it.each(Object.entries(kinds))('is refused: %s [§2.31]', async (what, asked) => {
    const name = what.toUpperCase();
    const tenantId = await create(name);
    const before = await seenBy(tenantId);
    const [kind, input] = (await asked(await getDatabaseByName(test.context, name))) as [OperationKind, object];
    const prepared = await kind.prepare(test.context, input, { id: randomUUID(), actor: SERVER_ACTOR });
    expect(await move(tenantId)).toMatchObject({ status: 200 });
    const row = await getDatabaseByName(test.context, name);
    await expect(
      test.context.platform.transaction().execute(async (trx) => prepared.register?.(trx)),
    ).rejects.toMatchObject({ code: 'conflict', message: `${name} has been moved meanwhile.` });
    expect(await getDatabaseByName(test.context, name)).toEqual(row);
    expect(await seenBy(tenantId)).toEqual(before);
  });
});

it('a move that finds its copy on the server of its source touches neither [§2.31]', async () => {
  const tenantId = await create('TOGETHER');
  const before = { row: await getDatabaseByName(test.context, 'TOGETHER'), seen: await seenBy(tenantId) };
  let operationId = '';
  await holdAt(
    test.databaseUrl,
    { kind: 'move', point: 'running' },
    async () => {
      const body = { id: tenantId, databaseServerId: serverId };
      const answer = await test.call(moveRoutes.move, { body, headers: { prefer: 'respond-async' } });
      operationId = answer.result.operationId;
      return answer;
    },
    async () => {
      await test.context.pool.query('update databases set server_id = $1 where id = $2', [HOME_SERVER, operationId]);
    },
  );
  await removeStops(test.databaseUrl);
  const found = async () => (await test.call(operationRoutes.get, { query: { id: operationId } })).result;
  await expect.poll(async () => (await found()).state, { timeout: 60_000, interval: 20 }).toBe('failed');
  expect((await found()).message).toBe('TOGETHER has been moved meanwhile.');
  expect(await getDatabaseByName(test.context, 'TOGETHER')).toEqual(before.row);
  expect(await seenBy(tenantId)).toEqual(before.seen);
  const rows = await test.context.pool.query('select from databases where id = $1', [operationId]);
  expect(rows.rowCount).toBe(0);
  expect(await listMoveRemains(test.databaseUrl, [second.url])).toEqual([]);
});
