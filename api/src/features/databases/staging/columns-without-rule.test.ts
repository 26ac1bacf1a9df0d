import { anonymizedCloneRoutes } from '@apotheca/contract/anonymized-clones';
import { beforeAll, expect, it } from 'vitest';
import { anonymizing } from '../../../testing/anonymizing.ts';
import { useTestApp } from '../../../testing/app.ts';

const test = useTestApp();
const { anonymize, inside, createFilled } = anonymizing(test);

const cloneAnonymized = (databaseName: string) =>
  test.call(anonymizedCloneRoutes.cloneAnonymized, { query: { copyFrom: 'GROWN', databaseName } });

beforeAll(async () => {
  await createFilled('GROWN', 3);
  await inside('GROWN', (client) =>
    client.query("alter table public.patients add column work_phone text; update public.patients set work_phone = '9'"),
  );
});

it.each([
  ['a capital letter', 'identifier: Phone'],
  ['more words', 'identifier: phone, 2nd'],
  ['a kind that is none', 'identifier: e-mail'],
  ['no rule', 'Phone at work'],
])(
  'a column whose comment has %s is refused as it is in place, and no copy is left [DECISIONS §13]',
  async (_, comment) => {
    await inside('GROWN', (client) => client.query(`comment on column public.patients.work_phone is '${comment}'`));
    const { message, ...refused } = await anonymize('GROWN');
    expect({ ...refused, message }).toMatchObject({
      status: 409,
      message: expect.stringContaining('patients.work_phone'),
    });
    expect(await cloneAnonymized('COPY')).toMatchObject({ status: 409, message });
    const { rows } = await test.context.pool.query("select from databases where name = 'COPY'");
    expect(rows).toEqual([]);
  },
);

it('columns of the platform have its rule in place of any other comment, in the copy as well [DECISIONS §13]', async () => {
  await inside('GROWN', (client) =>
    client.query(`comment on column public.patients.work_phone is 'not identifying';
      comment on column public.patients.ssn is 'US only'`),
  );
  const { status, result } = await cloneAnonymized('DESCRIBED');
  expect(status).toBe(200);
  expect(result.columns).toContainEqual(expect.objectContaining({ table: 'patients', column: 'ssn' }));
  const { rows } = await inside('DESCRIBED', (client) =>
    client.query(`
      select attname as column, col_description(attrelid, attnum) as comment from pg_attribute
      where attrelid = 'public.patients'::regclass and attname in ('ssn', 'work_phone')
        or attrelid = 'public.products'::regclass and attname = 'price' order by 1`),
  );
  expect(rows).toEqual([
    { column: 'price', comment: 'not identifying' },
    { column: 'ssn', comment: 'identifier: ssn' },
    { column: 'work_phone', comment: 'not identifying' },
  ]);
});
