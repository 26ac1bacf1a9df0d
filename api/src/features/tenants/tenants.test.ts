import { databaseRoutes } from '@apotheca/contract/databases';
import { TENANT_LIMITS } from '@apotheca/contract/tenant-form';
import { TENANT_SORT_COLUMNS, tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { staleRecord } from '@apotheca/contract/version';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { operationsEnded } from '../../testing/operations.ts';

const test = useTestApp();

const create = (code: string, fields = {}) => test.call(tenantRoutes.create, { body: tenantInput(code, fields) });
const list = async (query: Record<string, string> = {}) => (await test.call(tenantRoutes.list, { query })).result;
const find = async (code: string) => (await list()).find((row: { code: string }) => row.code === code);
const audited = (entityId: string) =>
  test.context.platform.selectFrom('auditEntries').selectAll().where('entityId', '=', entityId).orderBy('id').execute();

describe('GET /tenant/get', () => {
  it('lists every tenant in the shape of the contract [§3]', async () => {
    await create('SHAPE', { city: 'Everett', logoUrl: 'https://silverlake.test/logo.png' });
    const rows = await list();
    expect(z.array(tenant).parse(rows)).toEqual(rows);
    expect(await find('SHAPE')).toMatchObject({
      customerCode: 'Clinic SHAPE',
      databaseName: 'SHAPE',
      city: 'Everett',
      emr: { name: 'athenahealth' },
      timezone: { displayName: '(UTC-08:00) Pacific Time (Los Angeles)' },
    });
  });

  it('shows a connection string without a password [§3]', async () => {
    await create('NOPASSWORD');
    const { connectionString } = await find('NOPASSWORD');
    expect(new URL(connectionString)).toMatchObject({ password: '' });
    expect(new URL(connectionString).username).toMatch(/^db_[0-9a-f]{32}_nopassword$/);
  });

  it('sorts by code ascending by default, and by every sort key in both directions [§2.6]', async () => {
    await create('sort-b', {
      customerCode: 'Zebra',
      emrId: 'epic',
      firstName: 'adam',
      subscriptionEndDate: '2030-01-02',
    });
    await create('sort-a', {
      customerCode: 'apple',
      emrId: 'none',
      firstName: 'Zoe',
      subscriptionEndDate: '2030-01-01',
    });
    const codes = (await list()).map((row: { code: string }) => row.code);
    expect(codes).toEqual(codes.toSorted());
    for (const sortColumn of TENANT_SORT_COLUMNS) {
      const order = async (sortDirection: string) =>
        (await list({ sortColumn, sortDirection }))
          .map((row: { code: string }) => row.code)
          .filter((code: string) => code.startsWith('SORT-'));
      const isAFirst = sortColumn !== 'emrId' && sortColumn !== 'firstName';
      expect(await order('asc'), sortColumn).toEqual(isAFirst ? ['SORT-A', 'SORT-B'] : ['SORT-B', 'SORT-A']);
      expect(await order('desc'), sortColumn).toEqual(isAFirst ? ['SORT-B', 'SORT-A'] : ['SORT-A', 'SORT-B']);
    }
  });

  it('refuses an unknown column or direction [§7.2]', async () => {
    const answer = await test.call(tenantRoutes.list, { query: { sortColumn: 'code;drop', sortDirection: 'up' } });
    expect(answer).toMatchObject({ status: 400, success: false });
    expect(Object.keys(answer.errors ?? {})).toEqual(['sortColumn', 'sortDirection']);
  });
});

describe('POST /tenant/create', () => {
  it('fills in the defaults of a new tenant [§9]', async () => {
    expect(await create('DEFAULTS')).toMatchObject({ status: 200, message: 'Success! Tenant has been Created.' });
    expect(await find('DEFAULTS')).toMatchObject({
      subscriptionLevel: 'Monthly',
      subscriptionStartDate: '2026-11-20',
      subscriptionEndDate: '2026-12-20',
      isActive: true,
      licenseCount: 0,
      tenantStatus: { name: 'New' },
      createdOnUtc: '2026-11-20T23:20:00+00:00',
    });
  });

  it('is audited with every field that it was created with [DECISIONS §12]', async () => {
    const answer = await test.call(tenantRoutes.create, { body: tenantInput('FIELDS', { city: 'Boise' }) });
    const [entry] = await audited(answer.result.id);
    const {
      id: _,
      version: __,
      postponedTo: ___,
      createdBy,
      updatedBy,
      createdAt,
      updatedAt,
      ...content
    } = await test.context.platform
      .selectFrom('tenants')
      .selectAll()
      .where('code', '=', 'FIELDS')
      .executeTakeFirstOrThrow();
    expect(entry?.changes).toEqual({ ...content, databaseName: 'FIELDS' });
    expect(entry?.changes).toMatchObject({ city: 'Boise', phone: '(425) 555-0134' });
  });

  it('records the caller as creator, not the user that the call names [§6]', async () => {
    const { id, token } = await test.signInAs('Operator');
    const answer = await test.call(tenantRoutes.create, {
      body: { ...tenantInput('STAMPED'), createdBy: id, updatedBy: 'x', id: 'x' },
      token,
    });
    expect(await find('STAMPED')).toMatchObject({ id: answer.result.id, createdBy: id, updatedBy: null });
    expect(await audited(answer.result.id)).toMatchObject([
      { action: 'tenants.create', actorId: id, actorName: 'user-operator', address: '127.0.0.1' },
    ]);
  });

  it('names every required field that is missing [§5]', async () => {
    const { status, errors } = await test.call(tenantRoutes.create, { body: {} });
    expect({ status, errors }).toEqual({
      status: 400,
      errors: {
        code: ['Tenant CODE is required'],
        customerCode: ['Customer Name/Code is required'],
        firstName: ['Fist Name is required'],
        lastName: ['Last Name is required'],
        email: ['Email is required'],
        phone: ['Phone Number is required'],
        emrId: ['EMR is required.'],
        timezoneId: ['Time Zone is required.'],
        databaseName: ['Database Name is required.'],
      },
    });
  });

  it.each(Object.entries(TENANT_LIMITS))('takes %s of %i characters and refuses one more [§5]', async (field, max) => {
    const prefix = field === 'logoUrl' || field === 'tenantApiUrl' ? 'https://' : '';
    const text = (length: number) => prefix + 'X'.repeat(length - prefix.length);
    // Each field has its own code, so that only the field under test decides.
    const at = await create(`LIMIT-${field}`, { [field]: text(max) });
    expect(at.status === 200 || at.errors?.[field]?.[0] === 'This EMR is unknown.', JSON.stringify(at)).toBe(true);
    const over = await create(`OVER-${field}`, { [field]: text(max + 1) });
    expect(over).toMatchObject({
      status: 400,
      errors: { [field]: [expect.stringMatching(`not be more than ${max} characters`)] },
    });
  });

  it('upper-cases the code and refuses one that exists in another case [§5]', async () => {
    await create('twin');
    expect(await find('TWIN')).toMatchObject({ code: 'TWIN', databaseName: 'TWIN' });
    expect(await create('Twin')).toMatchObject({
      status: 409,
      errors: { code: ['A tenant with this code exists already.'] },
    });
    expect(await create('OTHER', { databaseName: 'twin' })).toMatchObject({
      status: 409,
      errors: { databaseName: expect.any(Array) },
    });
    expect(await find('OTHER')).toBeUndefined();
  });

  it('limits a code by its length in upper case [§5]', async () => {
    const tooLong = ['Tenant Code should not be more than 100 characters'];
    expect(await create('ß'.repeat(51))).toMatchObject({ status: 400, errors: { code: tooLong } });
    expect(await create('ß'.repeat(50), { customerCode: 'Fifty' })).toMatchObject({ status: 200 });
    // However its accents are typed.
    expect(await create('E\u0301'.repeat(101))).toMatchObject({ status: 400, errors: { code: tooLong } });
    expect(await create('E\u0301'.repeat(100), { customerCode: 'Hundred' })).toMatchObject({ status: 200 });
    expect(await find('S'.repeat(100))).toBeDefined();
  });

  it.each(['\u200b', '\u00ad', '\ufeff', '\u3164', '\u200d', '\u202e', '\u0007'])(
    'refuses the invisible %j in a code [§5]',
    async (character) => {
      const message = ['Tenant Code should have only printable characters'];
      expect(await create(`A${character}B`)).toMatchObject({ status: 400, errors: { code: message } });
    },
  );

  it('accepts emoji, and turns every run of white space into one space [§5]', async () => {
    expect(await create('pharmacy\u00a0 👩🏽‍⚕️')).toMatchObject({ status: 200 });
    expect(await find('PHARMACY 👩🏽‍⚕️')).toBeDefined();
  });

  it('refuses reserved names and unknown look-ups [§5]', async () => {
    expect(await create('Postgres')).toMatchObject({ status: 409, title: 'Reserved name' });
    expect(await create('NOEMR', { emrId: 'nope' })).toMatchObject({
      status: 400,
      errors: { emrId: ['This EMR is unknown.'] },
    });
    expect(await create('NOZONE', { timezoneId: 'Mars/Olympus' })).toMatchObject({
      status: 400,
      errors: { timezoneId: expect.any(Array) },
    });
    expect(await create('NOSTATUS', { tenantStatusId: 'nope' })).toMatchObject({
      status: 400,
      errors: { tenantStatusId: expect.any(Array) },
    });
    expect(await create('SCRIPT', { logoUrl: 'javascript:alert(1)' })).toMatchObject({
      status: 400,
      errors: { logoUrl: expect.any(Array) },
    });
  });
});

describe('PUT /tenant/edit', () => {
  it('changes fields, and audits the old and new values [§7.2]', async () => {
    const { result } = await create('EDIT');
    const body = { ...tenantInput('EDIT', { city: 'Boise', phone: '(208) 555-0199' }), id: result.id };
    expect(await test.call(tenantRoutes.edit, { body })).toMatchObject({
      status: 200,
      message: 'Success! Tenant has been updated.',
    });
    expect(await find('EDIT')).toMatchObject({ city: 'Boise', phone: '(208) 555-0199' });
    const [, entry] = await audited(result.id);
    expect(entry).toMatchObject({
      action: 'tenants.edit',
      changes: { city: ['', 'Boise'], phone: ['(425) 555-0134', '(208) 555-0199'] },
    });
  });

  it('refuses an expiry before the start, also when one of the two is kept [§2.7]', async () => {
    const errors = { subscriptionEndDate: ['Expiry Date must not be before the Start Date'] };
    const backwards = { subscriptionStartDate: '2031-05-05', subscriptionEndDate: '2031-05-04' };
    expect(await create('BACKWARDS', backwards)).toMatchObject({ status: 400, errors });
    expect(await create('BACKWARDS', { subscriptionEndDate: '2020-01-01' })).toMatchObject({ status: 400, errors });
    // PostgreSQL has no such year.
    expect(await create('BACKWARDS', { subscriptionStartDate: '0000-01-01' })).toMatchObject({
      status: 400,
      errors: { subscriptionStartDate: ['Start Date must be a date'] },
    });
    const sameDay = { subscriptionStartDate: '2031-05-05', subscriptionEndDate: '2031-05-05' };
    const { result } = await create('BACKWARDS', sameDay);
    for (const dates of [backwards, { subscriptionEndDate: '2031-05-04' }, { subscriptionStartDate: '2031-05-06' }]) {
      const body = { ...tenantInput('BACKWARDS', dates), id: result.id };
      expect(await test.call(tenantRoutes.edit, { body })).toMatchObject({ status: 400, errors });
    }
    expect(await find('BACKWARDS')).toMatchObject(sameDay);
  });

  it('refuses to empty the status [§2.7]', async () => {
    const { result } = await create('STATUS', { tenantStatusId: 'live' });
    const body = { ...tenantInput('STATUS', { tenantStatusId: '' }), id: result.id };
    expect(await test.call(tenantRoutes.edit, { body })).toMatchObject({
      status: 400,
      errors: { tenantStatusId: ['Status is required'] },
    });
    expect(await find('STATUS')).toMatchObject({ tenantStatusId: 'live', version: 1 });
  });

  it('keeps omitted status and dates [§3]', async () => {
    const { result } = await create('KEEP', { tenantStatusId: 'live', subscriptionEndDate: '2031-05-05' });
    await test.call(tenantRoutes.edit, { body: { ...tenantInput('KEEP'), id: result.id } });
    expect(await find('KEEP')).toMatchObject({ tenantStatusId: 'live', subscriptionEndDate: '2031-05-05' });
  });

  it('keeps the texts that it does not name, and empties those that it names as null or empty [§7.2]', async () => {
    const texts = {
      name: 'A name of its own',
      addressLine1: '1 Main Street',
      city: 'Everett',
      configuration: '{"queue":"east"}',
      subdomain: 'texts',
      logoUrl: 'https://silverlake.test/logo.png',
      subscriptionLevel: 'Annual',
    };
    const { id } = (await create('TEXTS', texts)).result;
    const edit = async (fields: Record<string, unknown>) =>
      (await test.call(tenantRoutes.edit, { body: { ...tenantInput('TEXTS'), id, ...fields } })).status;
    expect(await edit({ phone: '(208) 555-0199' })).toBe(200);
    expect(await find('TEXTS')).toMatchObject({ ...texts, phone: '(208) 555-0199' });
    expect((await audited(id)).at(-1)?.changes).toEqual({
      phone: ['(425) 555-0134', '(208) 555-0199'],
      version: [1, 2],
    });
    expect(await edit({ name: '', city: '', configuration: null, logoUrl: null })).toBe(200);
    expect(await find('TEXTS')).toMatchObject({
      ...texts,
      ...{ name: 'Clinic TEXTS', city: '', configuration: '', logoUrl: '' },
    });
  });

  it('keeps an inactive tenant inactive, and its licence count [§4]', async () => {
    const { result } = await create('IDLE', { isActive: false, licenseCount: 9 });
    await test.call(tenantRoutes.edit, { body: { ...tenantInput('IDLE', { city: 'Boise' }), id: result.id } });
    expect(await find('IDLE')).toMatchObject({ city: 'Boise', isActive: false, licenseCount: 9 });
  });

  it('changes the database’s name and keeps the physical name [§2.7]', async () => {
    const { result } = await create('OLDNAME');
    const { connectionString } = await find('OLDNAME');
    await test.call(tenantRoutes.edit, { body: { ...tenantInput('NEWNAME'), id: result.id } });
    expect(await find('NEWNAME')).toMatchObject({ databaseName: 'NEWNAME', connectionString });
    const [, entry] = await audited(result.id);
    expect(entry?.changes).toEqual({
      code: ['OLDNAME', 'NEWNAME'],
      customerCode: ['Clinic OLDNAME', 'Clinic NEWNAME'],
      name: ['Clinic OLDNAME', 'Clinic NEWNAME'],
      databaseName: ['OLDNAME', 'NEWNAME'],
      version: [1, 2],
    });
  });

  it('refuses the code of another tenant, and an unknown tenant [§5]', async () => {
    await create('TAKEN');
    const { result } = await create('MINE');
    expect(await test.call(tenantRoutes.edit, { body: { ...tenantInput('taken'), id: result.id } })).toMatchObject({
      status: 409,
      errors: { code: expect.any(Array) },
    });
    expect(await find('MINE')).toBeDefined();
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await test.call(tenantRoutes.edit, { body: { ...tenantInput('NOBODY'), id: nobody } })).toMatchObject({
      status: 404,
    });
    expect(await test.call(tenantRoutes.edit, { body: tenantInput('NOID') })).toMatchObject({
      status: 400,
      errors: { id: ['Id is required'] },
    });
  });
});

describe('PUT /tenant/edit with a version', () => {
  const edit = (code: string, id: string, fields: Record<string, unknown>, token?: string) =>
    test.call(tenantRoutes.edit, { body: { ...tenantInput(code, fields), id }, ...(token && { token }) });

  it('does not overwrite a newer version, and tells who changed what [§7.2]', async () => {
    const { id } = (await create('STALE', { city: 'Everett' })).result;
    const { version } = await find('STALE');
    const { accessToken: token } = await signInTo(test, await insertAccount(test, { role: 'Operator' }));
    expect((await edit('STALE', id, { city: 'Boise', version }, token)).status).toBe(200);
    expect((await edit('STALE', id, { city: 'Salem', state: 'OR', version: version + 1 }, token)).status).toBe(200);
    const refused = await edit('STALE', id, { city: 'Tacoma', version });
    expect(refused).toMatchObject({ status: 409, title: 'Changed meanwhile' });
    expect(staleRecord.parse(refused.result)).toMatchObject({
      version: version + 2,
      changes: [
        { field: 'city', before: 'Everett', after: 'Salem', by: expect.stringMatching(/^person/) },
        { field: 'state', before: '', after: 'OR' },
      ],
    });
    expect(await find('STALE')).toMatchObject({ city: 'Salem', state: 'OR', version: version + 2 });
    expect((await edit('STALE', id, { city: 'Tacoma', version: version + 2 })).status).toBe(200);
    expect(await find('STALE')).toMatchObject({ city: 'Tacoma' });
  });

  it('succeeds once when two calls have the same version; without a version it overwrites [§7.2]', async () => {
    const { id } = (await create('RACE')).result;
    const answers = await Promise.all(['A', 'B'].map((city) => edit('RACE', id, { city, version: 1 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await edit('RACE', id, { city: 'C' })).status).toBe(200);
    expect(await find('RACE')).toMatchObject({ city: 'C', version: 3 });
  });

  it('is stale after a rename of the database and after a deactivation [§7.2]', async () => {
    const { id } = (await create('BEFORE')).result;
    const renamed = { databaseName: 'BEFORE', newName: 'AFTER' };
    expect((await test.call(databaseRoutes.rename, { query: renamed })).status).toBe(200);
    await test.call(tenantRoutes.deactivate, { query: { id } });
    const refused = await edit('BEFORE', id, { version: 1 });
    expect(refused.result.changes).toMatchObject([
      { field: 'databaseName', before: 'BEFORE', after: 'AFTER', by: 'admin' },
      { field: 'isActive', before: true, after: false },
    ]);
    expect(await find('BEFORE')).toMatchObject({ databaseName: 'AFTER', version: 3 });
  });
});

describe('PUT /tenant/edit after the end was put off', () => {
  it('is stale, and a new end says that it took that back [§7.2] [DECISIONS §13]', async () => {
    const ended = { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2026-11-10' };
    const { id } = (await create('PUT OFF', ended)).result;
    const { postponedTo } = (await test.call(tenantRoutes.postponeExpiry, { query: { id } })).result;
    const edit = (version: number) => {
      const fields = { ...ended, subscriptionEndDate: '2026-11-25' };
      return test.call(tenantRoutes.edit, { body: { ...tenantInput('PUT OFF', fields), id, version } });
    };
    const refused = await edit(1);
    expect(refused).toMatchObject({ status: 409, title: 'Changed meanwhile' });
    expect(staleRecord.parse(refused.result)).toMatchObject({
      version: 2,
      changes: [{ field: 'postponedTo', before: null, after: postponedTo, by: 'admin' }],
    });
    expect(await find('PUT OFF')).toMatchObject({ subscriptionEndDate: '2026-11-10', postponedTo });
    expect((await edit(2)).status).toBe(200);
    expect(await find('PUT OFF')).toMatchObject({ postponedTo: null, version: 3 });
    const changes = (await audited(id)).filter(({ action }) => action === 'tenants.edit').map((entry) => entry.changes);
    expect(changes).toEqual([
      { subscriptionEndDate: ['2026-11-10', '2026-11-25'], postponedTo: [postponedTo, null], version: [2, 3] },
    ]);
  });
});

describe('the subdomain of another tenant', () => {
  const taken = { status: 409, errors: { subdomain: ['Another tenant has this subdomain.'] } };
  const edit = (code: string, id: string, fields: Record<string, unknown>) =>
    test.call(tenantRoutes.edit, { body: { ...tenantInput(code), id, ...fields } });

  it('is refused to a new tenant and to a changed one, whatever its case [§5]', async () => {
    await create('NORTH', { subdomain: 'north' });
    expect(await create('NORTHERN', { subdomain: ' North ' })).toMatchObject(taken);
    expect(await find('NORTHERN')).toBeUndefined();
    const { id } = (await create('SOUTH', { subdomain: 'south' })).result;
    expect(await edit('SOUTH', id, { subdomain: 'NORTH' })).toMatchObject(taken);
    expect(await find('SOUTH')).toMatchObject({ subdomain: 'south', version: 1 });
    expect((await edit('SOUTH', id, { subdomain: 'South' })).status).toBe(200);
    expect((await edit('SOUTH', id, { subdomain: '' })).status).toBe(200);
    expect((await create('SOUTHERN', { subdomain: 'south' })).status).toBe(200);
    expect((await create('NORTH', { subdomain: 'north' })).errors).toEqual({
      code: ['A tenant with this code exists already.'],
    });
  });

  it('goes to one of many who ask for it at once [§5]', async () => {
    const edited = await Promise.all(['RUN A', 'RUN B'].map(async (code) => (await create(code)).result.id));
    const answers = await Promise.all([
      ...['RUN C', 'RUN D'].map((code) => create(code, { subdomain: 'run' })),
      ...edited.map((id, index) => edit(['RUN A', 'RUN B'][index] ?? '', id, { subdomain: 'Run' })),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const owners = (await list()).filter(({ subdomain }: { subdomain: string }) => /^run$/i.test(subdomain));
    expect(owners).toHaveLength(1);
  });

  it('stays where both have it already, and they can be edited otherwise [§5]', async () => {
    await create('TWO A', { subdomain: 'two' });
    const { id } = (await create('TWO B')).result;
    await test.context.platform.updateTable('tenants').set({ subdomain: 'Two' }).where('id', '=', id).execute();
    expect((await edit('TWO B', id, { city: 'Boise', subdomain: 'TWO' })).status).toBe(200);
    expect(await find('TWO B')).toMatchObject({ city: 'Boise', subdomain: 'TWO' });
  });
});

describe('PUT /tenant/activate and /tenant/deactivate', () => {
  it('toggle a tenant, with the messages of the spec [§8]', async () => {
    const { result } = await create('TOGGLE');
    const toggle = async (route: typeof tenantRoutes.activate | typeof tenantRoutes.deactivate) => {
      const { status, message } = await test.call(route, { query: { id: result.id } });
      return { status, message, isActive: (await find('TOGGLE')).isActive };
    };
    const actions = async () => (await audited(result.id)).map(({ action }) => action);
    expect(await actions()).toEqual(['tenants.create']);
    let before: string[];
    let toggled: Awaited<ReturnType<typeof toggle>>[];
    // A call waits 10 s for its database, and then says how that is for now.
    do {
      await operationsEnded(test.databaseUrl);
      before = await actions();
      toggled = [await toggle(tenantRoutes.deactivate), await toggle(tenantRoutes.activate)];
    } while (toggled.some(({ message }) => message.includes(' For now ') || message.includes(' is still being ')));
    expect(toggled).toEqual([
      {
        status: 200,
        message: 'Success! Tenant has been Deactivated. Its database is closed to its programs.',
        isActive: false,
      },
      {
        status: 200,
        message: 'Success! Tenant has been Activated. Its database is open to its programs.',
        isActive: true,
      },
    ]);
    expect((await actions()).slice(before.length)).toEqual([
      'tenants.deactivate',
      'tenants.change-access',
      'tenants.activate',
      'tenants.change-access',
    ]);
  });

  it('leave a tenant that is so already as it is, in the same version [§4]', async () => {
    const { id } = (await create('SWITCHED')).result;
    const deactivate = async () => (await test.call(tenantRoutes.deactivate, { query: { id } })).status;
    expect([await deactivate(), await deactivate()]).toEqual([200, 200]);
    expect(await find('SWITCHED')).toMatchObject({ isActive: false, version: 2 });
    const deactivations = (await audited(id)).filter(({ action }) => action === 'tenants.deactivate');
    expect(deactivations).toHaveLength(1);
  });
});

describe('look-ups', () => {
  it('give statuses, EMRs and the IANA time zones [§7.2]', async () => {
    const names = async (route: typeof tenantRoutes.listEmrs | typeof tenantRoutes.listStatuses) =>
      (await test.call(route)).result.map(({ name }: { name: string }) => name);
    expect(await names(tenantRoutes.listStatuses)).toEqual(['New', 'Onboarding', 'Live', 'Suspended', 'Closed']);
    expect(await names(tenantRoutes.listEmrs)).toEqual([
      'athenahealth',
      'Epic',
      'Oracle Health',
      'eClinicalWorks',
      'NextGen',
      'None',
    ]);
    const zones = (await test.call(tenantRoutes.listTimezones)).result;
    expect(zones.length).toBeGreaterThan(400);
    expect(zones).toContainEqual({ id: 'America/Chicago', displayName: '(UTC-06:00) Central Time (Chicago)' });
  });
});
