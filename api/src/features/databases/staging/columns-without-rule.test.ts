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
