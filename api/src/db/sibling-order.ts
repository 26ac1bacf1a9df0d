import { sql } from 'kysely';
import type { PlatformTables, Trx } from './platform.ts';

/** The largest value of PostgreSQL's integer. */
const INTEGER_MAX = 2_147_483_647;

/** Rows of a table that people put in order by hand: those that agree in some columns, in the order of sort order, creation, id. */
interface Siblings {
  /** It has the columns id, sort_order and created_at. */
  table: keyof PlatformTables;
  /** What makes a row one of them, by column. */
  shared: Record<string, string | boolean | null>;
}

/**
 * Moves a row by one place among its siblings. The sort orders stay what they are, so that rows beside the siblings keep their places too;
 * only what is tied, and what that leaves no room for, gets higher ones. The caller holds a lock that keeps others from moving them.
 * @returns whether it moved; a first one does not move up, a last one not down
 */
export async function moveAmongSiblings(
  trx: Trx,
  { table, shared }: Siblings,
  { id, moveUp }: { id: string; moveUp: boolean },
): Promise<boolean> {
  const conditions = Object.entries(shared).map(
    ([column, value]) => sql`${sql.ref(column)} is not distinct from ${value}`,
  );
  const { numAffectedRows = 0n } = await sql`
    with placed as (
      select id, sort_order, row_number() over (order by sort_order, created_at, id) as place
      from ${sql.table(table)}
      where ${sql.join(conditions, sql` and `)}
    ), numbered as (
      select place, least(
        place + max(sort_order - place) over (order by place),
        ${INTEGER_MAX} - (count(*) over () - place)
      ) as sort_order
      from placed
    ), swapped as (
      select moved.place as old_place, other.place as new_place
      from placed moved
      join placed other on other.place = moved.place + ${moveUp ? -1 : 1}
      where moved.id = ${id}
    ), moved as (
      select id, case place when old_place then new_place when new_place then old_place else place end as place
      from placed, swapped
    )
    update ${sql.table(table)} as sibling
    set sort_order = numbered.sort_order
    from moved join numbered using (place)
    where sibling.id = moved.id and sibling.sort_order <> numbered.sort_order`.execute(trx);
  return numAffectedRows > 0n;
}
