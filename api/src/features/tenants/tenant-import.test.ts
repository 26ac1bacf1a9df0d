import { Readable } from 'node:stream';
import { authRoutes } from '@apotheca/contract/auth';
import { IMPORT_LIMITS } from '@apotheca/contract/imports';
import { operationRoutes } from '@apotheca/contract/operations';
import { TENANT_IMPORT_COLUMNS, tenantImportRoutes } from '@apotheca/contract/tenant-import';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { forgetOldPlans } from '../../batches/batches.service.ts';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { csvOf, importsBy, outcomesOf, reasonsOf } from '../../testing/imports.ts';
import { urlOf } from '../../testing/routes.ts';

const test = useTestApp();
const { plan, start, report, imported } = importsBy(test, tenantImportRoutes);

const HEADINGS = [
  'Tenant Code',
  'Customer Name/Code',
  'First Name',
  'Last Name',
  'Email',
  'Phone',
  'EMR',
  'Time Zone',
  'Database Name',
];
const tenantRow = (code: string, ...more: string[]) => [
  code,
  `Clinic ${code}`,
  'Ines',
  'Moreau',
  'ines@silverlake.test',
  '(425) 555-0134',
  'athenahealth',
  'America/Los_Angeles',
  code,
  ...more,
];
const tenants = (...rows: string[][]) => csvOf(HEADINGS, ...rows);

const create = (code: string, fields = {}) => test.call(tenantRoutes.create, { body: tenantInput(code, fields) });
const find = async (code: string) =>
  (await test.call(tenantRoutes.list)).result.find((row: { code: string }) => row.code === code);
const auditedActions = async (entityId: string) =>
  (
    await test.context.platform
      .selectFrom('auditEntries')
      .select('action')
      .where('entityId', '=', entityId)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

/** Plans a file that comes in parts. */
const planSent = (parts: AsyncIterable<Buffer>, token: string) =>
  test.app.inject({
    method: 'POST',
    url: urlOf(tenantImportRoutes.plan),
    payload: Readable.from(parts),
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${token}` },
  });

const endOf = (id: string, state: string) =>
  expect.poll(async () => (await test.call(operationRoutes.get, { query: { id } })).result.state).toBe(state);

it('creates and changes tenants as the form does, and says what became of each row [§2.21]', async () => {
  await create('THERE', { city: 'Everett' });
  const file = csvOf(
    [...HEADINGS, 'City', 'License Count', 'Active', 'Expiry Date'],
    tenantRow('new one', 'Aspen', '25', 'no', '2027-01-31'),
    tenantRow('THERE', 'Seattle', '', '', ''),
  );
  const planned = await plan(file);
  expect(planned).toMatchObject({
    status: 200,
    result: {
      counts: { create: 1, change: 1, same: 0, refused: 0 },
      rows: [
        { line: 2, record: 'NEW ONE', outcome: 'create' },
        { line: 3, record: 'THERE', outcome: 'change', changes: [{ heading: 'City', from: 'Everett', to: 'Seattle' }] },
      ],
    },
  });
  expect(await find('NEW ONE'), 'a plan writes no tenant').toBeUndefined();
  const answer = await start(planned.result);
  const counts = { created: 1, changed: 1, same: 0, refused: 0, waiting: 0 };
  expect(answer).toMatchObject({ status: 200, result: { counts }, message: '1 tenant created and 1 changed.' });
  const made = await find('NEW ONE');
  expect(made).toMatchObject({
    city: 'Aspen',
    licenseCount: 25,
    isActive: false,
    subscriptionEndDate: '2027-01-31',
    databaseName: 'NEW ONE',
    emr: { name: 'athenahealth' },
  });
  expect(await find('THERE')).toMatchObject({ city: 'Seattle', isActive: true, version: 2 });
  expect(await auditedActions(made.id)).toEqual(['tenants.create']);
  expect(await auditedActions(planned.result.id)).toEqual(['tenants.import']);
  expect((await report(planned.result.id)).result.rows).toMatchObject([{ result: 'created' }, { result: 'changed' }]);
});

it('finds everything as it is when a file comes again; an empty cell leaves what is there [§2.21]', async () => {
  const file = csvOf([...HEADINGS, 'City'], tenantRow('AGAIN', 'Aspen'), tenantRow('AGAIN TOO', ''));
  expect((await imported(file)).results).toEqual({ AGAIN: 'created', 'AGAIN TOO': 'created' });
  expect((await imported(file)).results).toEqual({ AGAIN: 'same', 'AGAIN TOO': 'same' });
  const fewer = csvOf(['tenant code', 'City', 'Phone'], ['again', '', '(425) 555-0199']);
  expect((await imported(fewer)).results).toEqual({ AGAIN: 'changed' });
  expect(await find('AGAIN')).toMatchObject({ city: 'Aspen', phone: '(425) 555-0199', version: 2 });
});

it('finds a tenant however the accents of its code are typed, here or by an older version [§2.21]', async () => {
  const { result: made } = await create('N\u00c9E');
  for (const code of ['NE\u0301E', 'N\u00c9E']) {
    await test.context.platform.updateTable('tenants').set({ code }).where('id', '=', made.id).execute();
    const { result } = await plan(tenants(tenantRow('ne\u0301e'), tenantRow('n\u00e9e')));
    expect(result.rows, code).toMatchObject([{ outcome: 'change' }, { outcome: 'refused' }]);
  }
});

it('renames a tenant with its customer, unless it has a name of its own [§2.21]', async () => {
  await create('NAMED A');
  await create('NAMED B', { name: 'Its own' });
  const file = csvOf(['Tenant Code', 'Customer Name/Code'], ['NAMED A', 'Renamed A'], ['NAMED B', 'Renamed B']);
  expect((await plan(file)).result.rows).toMatchObject([
    {
      changes: [
        { heading: 'Customer Name/Code', to: 'Renamed A' },
        { heading: 'Name', from: 'Clinic NAMED A', to: 'Renamed A' },
      ],
    },
    { changes: [{ heading: 'Customer Name/Code', to: 'Renamed B' }] },
  ]);
  await imported(file);
  expect(await find('NAMED A')).toMatchObject({ customerCode: 'Renamed A', name: 'Renamed A' });
  expect(await find('NAMED B')).toMatchObject({ customerCode: 'Renamed B', name: 'Its own' });
});

it('says of a subscription that was put off from which day it moves [§2.21]', async () => {
  const ended = { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2026-11-19' };
  const { result: made } = await create('PUT OFF', ended);
  await test.call(tenantRoutes.postponeExpiry, { query: { id: made.id } });
  const { postponedTo } = await find('PUT OFF');
  const file = (day: string) => csvOf(['Tenant Code', 'Expiry Date'], ['PUT OFF', day]);
  const change = (from: string, to: string) => ({ outcome: 'change', changes: [{ heading: 'Expiry Date', from, to }] });
  const rowOf = async (day: string) => (await plan(file(day))).result.rows[0];
  // Later than the day that the tenant has, and earlier than the one that counts.
  expect(await rowOf('2026-11-20')).toMatchObject(change(postponedTo, '2026-11-20'));
  expect(await rowOf('2026-11-19')).toMatchObject({ outcome: 'same' });
  expect(await rowOf(postponedTo)).toMatchObject(change('2026-11-19', postponedTo));
  expect((await imported(file('2026-11-20'))).results).toEqual({ 'PUT OFF': 'changed' });
  expect(await rowOf('2026-11-20')).toMatchObject({ outcome: 'same' });
});

it('takes the names of choices and the template as it is [§2.21]', async () => {
  const template = csvOf(
    TENANT_IMPORT_COLUMNS.map(({ heading }) => heading),
    TENANT_IMPORT_COLUMNS.map(({ example }) => example),
  );
  expect(reasonsOf(await plan(template))).toEqual({});
  const zone = csvOf(
    [...HEADINGS.filter((heading) => heading !== 'Time Zone'), 'Time Zone'],
    [...tenantRow('ZONED').filter((cell) => cell !== 'America/Los_Angeles'), '(UTC-08:00) Pacific Time (Los Angeles)'],
  );
  expect(reasonsOf(await plan(zone))).toEqual({});
});

it('refuses rows with the reasons of the form, by column, and writes the others [§2.21]', async () => {
  await create('OWNER', { databaseName: 'OWNED' });
  const file = csvOf(
    [...HEADINGS, 'License Count', 'Active', 'Expiry Date'],
    tenantRow('GOOD', '', '', ''),
    tenantRow('BAD', '1.5', 'perhaps', '31.01.2027'),
    [...tenantRow('UNKNOWN', '', '', '').slice(0, 6), 'no such EMR', 'Mars', 'UNKNOWN', '', '', ''],
    ['HALF', '', '', '', '', '', '', '', 'OWNED', '', '', ''],
    ['', 'No code', '', '', '', '', '', '', '', '', '', ''],
    tenantRow('good', '', '', ''),
    [...tenantRow('TAKEN', '', '', '').slice(0, 8), 'OWNED', '', '', ''],
    [...tenantRow('RESERVED', '', '', '').slice(0, 8), 'postgres', '', '', ''],
    tenantRow('ENDED', '', '', '2020-01-01'),
  );
  const reasons = reasonsOf(await plan(file));
  expect(reasons).toMatchObject({
    BAD: [
      'Expiry Date: Expiry Date must be a date',
      'License Count: License Count must be a whole number',
      'Active: Active must be true or false',
    ],
    UNKNOWN: ["EMR: There is no EMR 'no such EMR'", "Time Zone: There is no Time Zone 'Mars'"],
    '': expect.arrayContaining(['Tenant Code: Tenant CODE is required']),
    GOOD: [': Line 2 is about this tenant too.'],
    TAKEN: ['Database Name: A database with this name exists already.'],
    RESERVED: ["Database Name: The name 'POSTGRES' is reserved."],
    ENDED: ['Expiry Date: Expiry Date must not be before the Start Date'],
  });
  expect(reasons.HALF).toContain('Email: Email is required');
  const { answer } = await imported(file);
  expect(answer.result.counts).toEqual({ created: 1, changed: 0, same: 0, refused: 8, waiting: 0 });
  expect(await find('GOOD')).toBeDefined();
});

it('refuses the subdomain of another tenant, of the file too, but leaves what is so already [§2.21] [§5]', async () => {
  await create('OWN A', { subdomain: 'own' });
  const { id } = (await create('OWN B')).result;
  await test.context.platform.updateTable('tenants').set({ subdomain: 'OWN' }).where('id', '=', id).execute();
  const file = csvOf(
    [...HEADINGS, 'Subdomain', 'City'],
    tenantRow('OWN B', 'own', 'Aspen'),
    tenantRow('OWN C', 'Own', ''),
    tenantRow('OWN D', 'free', ''),
    tenantRow('OWN E', 'FREE', ''),
  );
  const taken = ['Subdomain: Another tenant has this subdomain.'];
  expect(reasonsOf(await plan(file))).toEqual({ 'OWN C': taken, 'OWN E': taken });
  const { results } = await imported(file);
  expect(results).toMatchObject({ 'OWN B': 'changed', 'OWN D': 'created' });
  expect(await find('OWN E')).toBeUndefined();
});

it('does nothing if it would do something else than was planned, and answers the new plan [§2.21]', async () => {
  const { result: planned } = await plan(tenants(tenantRow('MEANWHILE')));
  await create('MEANWHILE');
  const refused = await start(planned);
  expect(refused).toMatchObject({
    status: 409,
    title: 'Plan changed',
    result: { id: planned.id, rows: [{ outcome: 'same' }] },
  });
  expect(await start(refused.result)).toMatchObject({ status: 200, result: { counts: { same: 1 } } });
  expect(await start(refused.result), 'a file is imported once').toMatchObject({ status: 409, title: 'Conflict' });
});

it('refuses a file that is too large, or none, with what is wrong [§2.21]', async () => {
  expect(await plan(Buffer.alloc(IMPORT_LIMITS.bytes + 1, 'x'))).toMatchObject({ status: 413 });
  expect(await plan(Buffer.from('Tenant Code,Colour\nA,b'))).toMatchObject({
    status: 400,
    errors: { file: ["The first row has no headings, or unknown ones: 'Colour'."] },
  });
  expect(await test.call(tenantImportRoutes.plan, { body: {} })).toMatchObject({ status: 415 });
});

it('is not planned when its sender signs out while it is sent [DECISIONS §4]', async () => {
  const { accessToken, refreshToken } = (await test.signIn()).result;
  const file = tenants(tenantRow('GONE'));
  const trickle = async function* () {
    yield file.subarray(0, 10);
    await test.call(authRoutes.logout, { token: null, body: { refreshToken } });
    yield file.subarray(10);
  };
  expect(await planSent(trickle(), accessToken)).toMatchObject({ statusCode: 401 });
});

it('is planned for a sender whose token ends while it is sent, as the session goes on [DECISIONS §4]', async () => {
  const { accessToken } = (await test.signIn()).result;
  const { now } = test.clock;
  const file = tenants(tenantRow('SLOW'));
  const trickle = async function* () {
    yield file.subarray(0, 10);
    test.clock.advance(16 * 60);
    yield file.subarray(10);
  };
  expect(await planSent(trickle(), accessToken)).toMatchObject({ statusCode: 200 });
  test.clock.now = now;
});

it('is for who may create tenants, and a plan for its maker [§2.21]', async () => {
  const file = tenants(tenantRow('MINE'));
  const viewer = (await signInTo(test, await insertAccount(test))).accessToken;
  expect(await plan(file, { token: viewer })).toMatchObject({ status: 403 });
  const { result: planned } = await plan(file);
  const operator = (await signInTo(test, await insertAccount(test, { role: 'Operator' }))).accessToken;
  expect(await start(planned, { token: operator })).toMatchObject({ status: 404 });
  expect(await report(planned.id), 'nothing was done yet').toMatchObject({ status: 404 });
  expect(await start({ ...planned, digest: 'another' })).toMatchObject({ status: 409 });
});

it('imports one file at a time; one that was cancelled goes on where it was [§2.21]', async () => {
  const first = (await plan(tenants(tenantRow('TURN A'), tenantRow('TURN B')))).result;
  let second = first;
  const operationId = await withClient(test.databaseUrl, async (client) => {
    await client.query('begin');
    // The import waits at its first row.
    await client.query('select from batch_rows where batch_id = $1 for update', [first.id]);
    const query = { id: first.id, plan: first.digest };
    const begun = await test.call(tenantImportRoutes.start, { query, headers: { prefer: 'respond-async' } });
    second = (await plan(tenants(tenantRow('TURN C')))).result;
    expect(await start(second)).toMatchObject({ status: 409, title: 'Busy' });
    const { operationId: id } = begun.result;
    expect(await test.call(operationRoutes.cancel, { query: { id } })).toMatchObject({ status: 200 });
    await client.query('rollback');
    return id;
  });
  await endOf(operationId, 'cancelled');
  const again = await test.call(operationRoutes.retry, { query: { id: operationId } });
  await endOf(again.result.operationId, 'succeeded');
  expect((await report(first.id)).result.rows).toMatchObject([{ result: 'created' }, { result: 'created' }]);
  expect(await auditedActions((await find('TURN B')).id)).toEqual(['tenants.create']);
  expect(await start(second)).toMatchObject({ status: 200, result: { counts: { created: 1 } } });
});

it('keeps a plan for a day, and the newest one only [§2.21]', async () => {
  const { result: earlier } = await plan(tenants(tenantRow('EARLIER')));
  const { result: planned } = await plan(tenants(tenantRow('FORGOTTEN')));
  expect(await start(earlier)).toMatchObject({ status: 404 });
  test.clock.advance(25 * 60 * 60);
  await forgetOldPlans(test.context);
  test.clock.advance(-25 * 60 * 60);
  expect(await start(planned)).toMatchObject({ status: 404 });
  expect(outcomesOf({ result: planned } as never)).toEqual({ FORGOTTEN: 'create' });
});

it('shows the last import, also after one by a clock that was ahead [§2.21] [DECISIONS §13]', async () => {
  await imported(tenants(tenantRow('AHEAD')));
  await test.context.pool.query(
    "update operations set created_at = created_at + interval '1 year' where kind = 'import-tenants'",
  );
  const { answer } = await imported(tenants(tenantRow('PRESENT')));
  const { result: last } = await test.call(tenantImportRoutes.report, { query: {} });
  expect(last.id).toBe(answer.result.id);
});
