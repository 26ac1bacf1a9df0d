import { userBulkRoutes } from '@apotheca/contract/user-bulks';
import { expect, it } from 'vitest';
import { insertAccount, roleIdOf, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { bulksBy, resultsOf } from '../../testing/bulks.ts';

const test = useTestApp();
const { plan, start, report } = bulksBy(test, userBulkRoutes);
const rowOf = (id: string) =>
  test.context.platform.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

it('deactivates and activates many people, but not oneself, and ends their sessions [§2.25]', async () => {
  const chief = await insertAccount(test, { role: 'Administrator', userName: 'chief' });
  const one = await insertAccount(test, { userName: 'one' });
  const two = await insertAccount(test, { userName: 'two' });
  const token = (await signInTo(test, chief)).accessToken;
  await signInTo(test, one);
  const ids = [one.id, two.id, chief.id];
  const { result: planned } = await plan({ action: 'deactivate', ids }, { token });
  expect(await start(planned, { token })).toMatchObject({
    status: 200,
    message: '2 users deactivated and 1 refused.',
  });
  expect(resultsOf(await report(planned.id))).toEqual({
    one: 'changed',
    two: 'changed',
    chief: 'refused: You cannot deactivate yourself.',
  });
  expect(await rowOf(one.id)).toMatchObject({ isActive: false });
  const open = test.context.platform.selectFrom('sessions').select('id').where('userId', '=', one.id);
  expect(await open.where('revokedAt', 'is', null).execute()).toEqual([]);
  const { result: back } = await plan({ action: 'activate', ids: [one.id, two.id] }, { token });
  expect(await start(back, { token })).toMatchObject({ status: 200, message: '2 users activated.' });
});

it('gives many a role, none with more permissions than one has, and each row has its reason [§2.25]', async () => {
  const operator = (await signInTo(test, await insertAccount(test, { role: 'Operator' }))).accessToken;
  const administrator = await insertAccount(test, { role: 'Administrator', userName: 'strong' });
  const viewer = await insertAccount(test, { userName: 'weak' });
  const ids = [viewer.id, administrator.id];
  const assign = async (role: string) =>
    plan({ action: 'assign-role', roleId: await roleIdOf(test, role), ids }, { token: operator });
  const refused = "refused: This user role has the permission 'tenants.delete', which you do not have.";
  expect(resultsOf(await assign('Administrator'))).toEqual({ weak: refused, strong: refused });
  const planned = await assign('Operator');
  expect(resultsOf(planned)).toEqual({ weak: 'change', strong: refused });
  expect(planned.result.rows[0].changes).toEqual([{ heading: 'Access Role', from: 'Viewer', to: 'Operator' }]);
  expect(await start(planned.result, { token: operator })).toMatchObject({ status: 200 });
  expect(await rowOf(viewer.id)).toMatchObject({ roleId: await roleIdOf(test, 'Operator'), version: 2 });
  expect(await rowOf(administrator.id)).toMatchObject({ roleId: await roleIdOf(test, 'Administrator'), version: 1 });
  expect(await plan({ action: 'assign-role', ids })).toMatchObject({
    status: 400,
    errors: { roleId: ['Access Role is required'] },
  });
});

it('answers who looks on with what has ended since, some rows at a time, and with all counts [§2.25]', async () => {
  const { id } = await insertAccount(test);
  const { result: planned } = await plan({ action: 'deactivate', ids: [id] });
  expect(await start(planned)).toMatchObject({ status: 200 });
  // 2,999 more: the first 1,200 are done, and one of them is to be tried again.
  await test.context.pool.query(
    `insert into batch_rows (batch_id, line, cells, record, outcome, changes, reasons, state)
     select $1, n, jsonb_build_object('id', gen_random_uuid()), 'user' || n, 'change', '[]', '[]',
       case when n > 1200 or n = 7 then 'waiting' else 'done' end
     from generate_series(2, 3000) n`,
    [planned.id],
  );
  const from = async (fromLine: string) => test.call(userBulkRoutes.report, { query: { id: planned.id, fromLine } });
  const linesOf = ({ result }: Awaited<ReturnType<typeof from>>) =>
    result.rows.map(({ line }: { line: number }) => line);
  const counts = { changed: 1199, same: 0, refused: 0, waiting: 1801 };
  const all = (await report(planned.id)).result;
  expect([all.rows.length, all.counts]).toEqual([3000, counts]);
  const first = await from('7');
  expect(linesOf(first)).toEqual(Array.from({ length: 500 }, (_, n) => n + 8));
  expect(first.result.rows).toEqual(all.rows.slice(7, 507));
  expect(linesOf(await from('1199'))).toEqual([1199, 1200]);
  const last = await from('1201');
  expect(last.result).toEqual({ ...all, rows: [] });
  expect(JSON.stringify(last.result).length).toBeLessThan(1_000);
  for (const wrong of ['0', '-1', 'x', '1.5', '1000000000'])
    expect(await from(wrong)).toMatchObject({ status: 400, errors: { fromLine: ['fromLine is invalid'] } });
});
