import { DATABASE_ORDER, DATABASE_SORT_COLUMNS, databaseRoutes } from '@apotheca/contract/databases';
import { PERMISSION_ORDER, PERMISSION_SORT_COLUMNS, permissionRoutes } from '@apotheca/contract/permissions';
import type { ContractRoute } from '@apotheca/contract/route';
import { orderRows, type RowOrder } from '@apotheca/contract/row-order';
import { TENANT_ORDER, TENANT_SORT_COLUMNS, tenantRoutes } from '@apotheca/contract/tenants';
import { USER_ORDER, USER_SORT_COLUMNS, userRoutes } from '@apotheca/contract/users';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useTestApp } from './testing/app.ts';

const test = useTestApp();

/**
 * Characters that are easily ordered in another way: by case, accent, width, script, or left out of the order by some. Curly quotes and
 * emoji younger than Unicode 10 are not among them: PostgreSQL's ICU may be older than the browser's, and orders them in another way.
 */
const CHARACTERS = [
  ...'abcxyzABCXYZ019 -_.,\'"/&+()#@|~ßæÆœøØłŁñÑéÉêèëöÖåÅçÇžŽčšŠıİğ',
  ...'αΑωάЖжъ中文日あアｱ한글אب٣½²ﬁ™€№',
  ...['e\u0301', 'o\u0308', '\u00a0', '\u2010', '\u2013', '💉', '💊', '👩🏽‍⚕️', '🇫🇷'],
];

interface Named {
  name: string;
  number: number;
  /** Absent: no such value. */
  moment?: number;
}
const named: fc.Arbitrary<Named> = fc.record(
  {
    name: fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 6 }),
    number: fc.integer({ min: 0, max: 5 }),
    moment: fc.integer({ min: 0, max: 5 }),
  },
  { requiredKeys: ['name', 'number'] },
);

/** Fills all tables that sorted lists read with rows of these names; who signed in stays. */
const FILL = `
  with given as (
    select gen_random_uuid() as id, gen_random_uuid() as database_id, g.name, g.number, g.moment, g.place,
      lead(g.name, 3, '') over (order by g.place) as other,
      lead(g.name, 7, '') over (order by g.place) as third
    from rows from (json_to_recordset($1::json) as (name text, number integer, moment integer))
      with ordinality as g(name, number, moment, place)
  ), new_roles as (
    insert into roles (name) select other from given where place < 8 on conflict do nothing returning id, name
  ), new_users as (
    insert into users (user_name, email, first_name, last_name, role_id)
    select case when number = 0 then '' else name end, place || third, other, name,
      (select id from new_roles order by md5(id::text || g.place) limit 1)
    from given g on conflict do nothing
  ), new_permissions as (
    insert into permissions (module, name, identifier, sort_order)
    select other, third, name, number from given on conflict do nothing
  ), new_tenants as (
    insert into tenants
    select (json_populate_record(null::tenants, ((select jsonb_object_agg(attname, '') from pg_attribute
      where attrelid = 'tenants'::regclass and atttypid = 'text'::regtype) || jsonb_build_object(
      'id', g.id, 'code', g.name, 'customer_code', g.other, 'first_name', g.third,
      'emr_id', (select id from emrs order by md5(id || g.place) limit 1), 'tenant_status_id', 'new',
      'timezone_id', (select min(id) from timezones), 'subscription_start_date', date '2026-01-31',
      'subscription_end_date', date '2026-02-27' + g.number, 'license_count', 0, 'is_active', true, 'version', 1,
      'created_at', now(), 'updated_at', now()))::json)).*
    from given g where g.name <> '' on conflict do nothing returning id
  ), new_databases as (
    insert into databases (id, name, physical_name, role_name, role_password, tenant_id, state, created_at, schema_version, size_bytes)
    select g.database_id, g.third || ' ' || g.place, 'db_' || g.place, 'db_' || g.place, '', t.id, 'ready', now(), 1, nullif(g.number, 3)
    from given g left join new_tenants t using (id) returning id
  )
  insert into backups (id, database_id, database_name, origin, state, created_at)
  select gen_random_uuid(), d.id, 'any', 'made', 'ready', timestamptz '2026-01-31 08:15:00.25+00' + g.moment * interval '125 ms'
  from given g join new_databases d on d.id = g.database_id where g.moment is not null`;

const EMPTY = `
  delete from backups; delete from databases; delete from tenants; delete from permissions p
  where not exists (select from role_permissions rp where rp.permission_id = p.id);
  delete from users where password_hash is null;
  delete from roles r where not exists (select from users u where u.role_id = r.id)
    and not exists (select from role_permissions rp where rp.role_id = r.id)`;

interface Row {
  id: string;
}

/** Each order that the call can give, beside what the order makes of the rows when they come in any other one. */
async function compareOrders<Listed extends Row, Column extends string>(
  route: ContractRoute,
  columns: readonly Column[],
  order: RowOrder<Listed, Column>,
) {
  for (const sortColumn of columns) {
    for (const sortDirection of ['asc', 'desc'] as const) {
      const { result } = await test.call(route, { query: { sortColumn, sortDirection } });
      const rows: Listed[] = 'permissions' in result ? result.permissions : result;
      const shuffled = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      const ordered = orderRows(shuffled, order, { sortColumn, sortDirection });
      const shown = (list: Listed[]) => list.map((row) => [order.columns[sortColumn].keyOf(row), row.id]);
      expect(shown(ordered), `${route.path} by ${sortColumn} ${sortDirection}`).toEqual(shown(rows));
    }
  }
}

it('rows are ordered in the console as PostgreSQL orders them, by every column of every sorted list [§2.6]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(named, { minLength: 20, maxLength: 60 }), async (rows) => {
      await test.context.pool.query(EMPTY);
      await test.context.pool.query(FILL, [JSON.stringify(rows)]);
      await compareOrders(tenantRoutes.list, TENANT_SORT_COLUMNS, TENANT_ORDER);
      await compareOrders(userRoutes.list, USER_SORT_COLUMNS, USER_ORDER);
      await compareOrders(permissionRoutes.list, PERMISSION_SORT_COLUMNS, PERMISSION_ORDER);
      await compareOrders(databaseRoutes.list, DATABASE_SORT_COLUMNS, DATABASE_ORDER);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
