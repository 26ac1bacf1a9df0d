import { randomUUID } from 'node:crypto';
import { permissionRoutes } from '@apotheca/contract/permissions';
import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';
import { patiently } from '../../testing/patiently.ts';
import {
  auditOf,
  createPermission,
  listPermissions,
  menuInput,
  permissionInput,
  permissionRow,
  useCallers,
} from '../../testing/permissions.ts';

const test = useTestApp();
const callers = useCallers(test);

const list = (query?: Record<string, string>) => listPermissions(test, query);
const findRow = (id: string) => permissionRow(test, id);
const move = (id: string, moveUp: boolean) =>
  test.call(permissionRoutes.move, { query: { id, moveUp: String(moveUp) } });

const UNKNOWN = randomUUID();

describe('PATCH /adminpermission/updatesortorder', () => {
  const order = async () =>
    (await list({ sortColumn: 'sortOrder' }))
      .filter(({ module }) => module === 'VISModule')
      .map(({ name, sortOrder }) => [name, sortOrder]);

  const edges = async (wanted: string) =>
    (await list({ sortColumn: 'name' }))
      .filter(({ module }) => module === wanted)
      .map(({ name, isFirst, isLast }) => [name, isFirst, isLast]);

  it('needs its permission, a record and a direction [§7.3]', async () => {
    const query = { id: UNKNOWN, moveUp: 'true' };
    expect(await test.call(permissionRoutes.move, { query, token: callers.operator })).toMatchObject({ status: 403 });
    expect(await test.call(permissionRoutes.move, { query: { id: UNKNOWN } })).toMatchObject({
      status: 400,
      errors: { moveUp: ['moveUp must be true or false'] },
    });
    expect(await move(UNKNOWN, true)).toMatchObject({ status: 404 });
  });

  it('swaps with the neighbour, and separates equal sort orders [§7.3]', async () => {
    const module = 'VISModule';
    const ids: string[] = [];
    for (const [name, sortOrder] of [
      ['A', 5],
      ['B', 5],
      ['C', 9],
    ] as const) {
      ids.push(await createPermission(test, permissionInput(name, { module, sortOrder, identifier: `vis.${name}` })));
      test.clock.advance(1);
    }
    const [a = '', b = '', c = ''] = ids;
    await createPermission(test, menuInput('Not a sibling', { sortOrder: 5 }));
    expect(await edges(module)).toEqual([
      ['A', true, false],
      ['B', false, false],
      ['C', false, true],
    ]);
    expect(await move(c, true)).toMatchObject({
      status: 200,
      message: 'Permission has been moved up.',
      result: { id: c },
    });
    expect(await order()).toEqual([
      ['A', 5],
      ['C', 6],
      ['B', 9],
    ]);
    expect(await move(a, false)).toMatchObject({ message: 'Permission has been moved down.' });
    expect(await order()).toEqual([
      ['C', 5],
      ['A', 6],
      ['B', 9],
    ]);
    expect(await findRow(c)).toMatchObject({ version: 2, updatedBy: callers.administratorId });
    expect(await findRow(b)).toMatchObject({ version: 1 });
    expect(await auditOf(test, c)).toMatchObject([
      { action: 'permissions.create' },
      { action: 'permissions.move-up', changes: { sortOrder: [9, 6], version: [1, 2] } },
    ]);
  });

  it('separates rows that share the largest sort order downwards [§7.3]', async () => {
    const most = { module: 'ReorderLevel', sortOrder: 2_147_483_647 };
    const one = await createPermission(test, permissionInput('Last one', most));
    test.clock.advance(1);
    const two = await createPermission(test, permissionInput('Last two', most));
    expect(await move(two, true)).toMatchObject({ message: 'Permission has been moved up.' });
    expect([(await findRow(two))?.sortOrder, (await findRow(one))?.sortOrder]).toEqual([2_147_483_646, 2_147_483_647]);
  });

  it('does not move the modules in the list [§2.14]', async () => {
    const modules = async () => (await list({ sortColumn: 'sortOrder' })).map(({ module }) => module);
    const before = await modules();
    const users = (await list({ sortColumn: 'sortOrder' })).filter(({ module }) => module === 'UserManagement');
    expect(await move(users[1]?.id ?? '', true)).toMatchObject({ message: 'Permission has been moved up.' });
    expect(await modules()).toEqual(before);
  });

  it('does nothing with the first one up and the last one down [DECISIONS §11]', async () => {
    const before = await order();
    const rows = (await list()).filter(({ module }) => module === 'VISModule');
    const [first, last] = [rows[0], rows.at(-1)];
    expect(await move(first?.id ?? '', true)).toMatchObject({
      status: 200,
      message: 'Permission is the first one already.',
    });
    expect(await move(last?.id ?? '', false)).toMatchObject({
      status: 200,
      message: 'Permission is the last one already.',
    });
    expect(await order()).toEqual(before);
    expect((await findRow(last?.id ?? ''))?.version).toBe(last?.version);
  });

  it('keeps sort orders unique under many moves at once [§7.3]', async () => {
    for (let n = 0; n < 7; n += 1) {
      await createPermission(test, permissionInput(`More ${n}`, { module: 'VISModule', sortOrder: 3 }));
    }
    const ids = (await list()).filter(({ module }) => module === 'VISModule').map(({ id }) => id);
    // Twice the connections of the pool; each waits at one lock for those before it, and is refused after five seconds.
    const turn = pLimit(20);
    const moveOne = (n: number) => patiently(() => move(ids[(n * 7) % ids.length] ?? '', n % 3 === 0));
    const moves = Array.from({ length: 80 }, (_, n) => turn(() => moveOne(n)));
    expect((await Promise.all(moves)).filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set((await order()).map(([, place]) => place)).size).toBe(ids.length);
  });
});
