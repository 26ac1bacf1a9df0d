import type pg from 'pg';
import { quoteIdentifier, readerName } from './names.ts';

/** Large objects that one transaction drops: each takes one of PostgreSQL's locks. */
const PORTION = 1_000;

/**
 * Drops what a role and its reader own in the database of `client`, and revokes their rights there, so that they can be dropped.
 * @param home the role's own database, whose use it keeps
 * @see https://www.postgresql.org/docs/15/role-removal.html
 */
export async function dropOwned(client: pg.Client, roleName: string, home: string): Promise<void> {
  const reader = readerName(roleName);
  const { rows } = await client.query<{ isSuperuser: boolean; hasHome: boolean; hasReader: boolean }>(
    `select rolsuper as "isSuperuser", exists (select from pg_catalog.pg_database where datname = $1) as "hasHome",
       exists (select from pg_catalog.pg_roles where rolname = $2) as "hasReader"
     from pg_catalog.pg_roles where rolname = current_user`,
    [home, reader],
  );
  const role = [roleName, ...(rows[0]?.hasReader ? [reader] : [])].map(quoteIdentifier).join(', ');
  // Only a superuser or a member may drop what a role owns.
  const isMemberOnly = !rows[0]?.isSuperuser;
  if (isMemberOnly) await client.query(`grant ${role} to current_user`);
  while ((await dropLargeObjects(client, roleName)) > 0);
  // DROP OWNED also revokes rights on databases, in whichever database it is run.
  const regrants = [
    `grant connect, temporary on database ${quoteIdentifier(home)} to ${quoteIdentifier(roleName)};`,
    rows[0]?.hasReader ? `grant connect on database ${quoteIdentifier(home)} to ${quoteIdentifier(reader)};` : '',
  ];
  const regrant = rows[0]?.hasHome ? regrants.join(' ') : '';
  await client.query(`begin; drop owned by ${role}; ${regrant} commit`);
  if (isMemberOnly) await client.query(`revoke ${role} from current_user`);
}

async function dropLargeObjects(client: pg.Client, roleName: string): Promise<number> {
  const { rowCount } = await client.query(
    `select pg_catalog.lo_unlink(oid) from (
       select m.oid from pg_catalog.pg_largeobject_metadata m
       join pg_catalog.pg_roles r on r.oid = m.lomowner where r.rolname = $1 limit ${PORTION}
     ) owned`,
    [roleName],
  );
  return rowCount ?? 0;
}
