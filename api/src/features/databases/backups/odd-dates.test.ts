import type pg from 'pg';
import { expect, it } from 'vitest';
import { anonymizing } from '../../../testing/anonymizing.ts';
import { useTestApp } from '../../../testing/app.ts';

const test = useTestApp();
const { anonymize, inside, createFilled } = anonymizing(test);

/** The first, the last and other dates and timestamps of PostgreSQL. */
const DAYS = [
  '-infinity',
  '4714-11-24 BC',
  '4713-06-01 BC',
  '1970-05-05',
  '294276-12-31',
  '294277-01-01',
  '5874897-12-31',
  'infinity',
];
const MOMENTS = ['4714-11-24 BC', '4713-01-01 BC', '1970-05-05 12:00', '294276-01-01', '294276-12-31 23:59:59.999999'];

it('anonymizing works for the earliest and the latest dates of PostgreSQL, and keeps their years [DECISIONS §9]', async () => {
  await createFilled('ODD', 3);
  const years = await inside('ODD', async (client) => {
    await client.query("update patients set birth_date = '5874897-12-31' where id = (select min(id) from patients)");
    await client.query(`
      create table public.appointments (day date, at timestamp, since timestamptz);
      comment on column public.appointments.day is 'identifier: date';
      comment on column public.appointments.at is 'identifier: date';
      comment on column public.appointments.since is 'identifier: date'`);
    for (const day of DAYS) await client.query('insert into public.appointments values ($1)', [day]);
    for (const moment of MOMENTS) {
      await client.query('insert into public.appointments values (null, $1::timestamp, $1::timestamp)', [moment]);
    }
    return yearsIn(client);
  });
  expect(years.day).toHaveLength(DAYS.length);
  expect(years.at).toHaveLength(MOMENTS.length);
  expect(await anonymize('ODD')).toMatchObject({ status: 200 });
  expect(await inside('ODD', yearsIn)).toEqual(years);
});

/** The years in each column, in the order of its values. */
async function yearsIn(client: pg.Client) {
  const yearsOf = (column: string) => `(
    select json_agg(case when isfinite(${column}) then extract(year from ${column})::text else ${column}::text end order by ${column})
    from public.appointments where ${column} is not null
  ) as ${column}`;
  const { rows } = await client.query<Record<'day' | 'at' | 'since' | 'birth', string[]>>(
    `select ${yearsOf('day')}, ${yearsOf('at')}, ${yearsOf('since')},
       array(select extract(year from birth_date)::text from patients order by id) as birth`,
  );
  return rows[0] ?? { day: [], at: [], since: [], birth: [] };
}
