import { sql } from 'kysely';
import type pg from 'pg';
import { quoteIdentifier } from './names.ts';
import type { ClusterSession } from './session.ts';

/**
 * The NOLOGIN role that owns what a restore has made beyond the platform's own schema. It may do with the platform's tables what a
 * tenant's role may, so functions that run with their owner's rights, and what PostgreSQL runs for the owner of a table, can do no more.
 */
export const OBJECT_OWNER = 'apotheca_objects';

/** Makes that role, if it does not exist. */
export async function makeObjectOwner(connection: ClusterSession): Promise<void> {
  await sql`do $$ begin
    create role ${sql.raw(OBJECT_OWNER)} nologin;
  exception when duplicate_object or unique_violation then null;
  end $$`.execute(connection);
}

/**
 * Gives a role what it needs to make objects beside the platform's own, and no right to change the rows of these.
 * @param client a superuser's session in the database
 */
export async function allowObjects(client: pg.Client, physicalName: string, roleName: string): Promise<void> {
  const role = quoteIdentifier(roleName);
  await client.query(`
    grant create on database ${quoteIdentifier(physicalName)} to ${role};
    grant usage, create on schema public to ${role};
    grant usage on schema apotheca to ${role};
    grant select, references, trigger on all tables in schema public to ${role};
    grant select on apotheca.permissions, apotheca.schema_version to ${role}`);
}

/** Gives what a role has made to {@link OBJECT_OWNER}, and takes all its rights in the database. It runs nothing of what was made. */
export async function takeObjects(client: pg.Client, roleName: string): Promise<void> {
  const role = quoteIdentifier(roleName);
  await client.query(`reassign owned by ${role} to ${OBJECT_OWNER}; drop owned by ${role}`);
}

/** Whether the administrator can give objects to other roles, and which extensions a role that is no superuser can create. */
export async function findRestoreRights(
  connection: ClusterSession,
): Promise<{ isSuperuser: boolean; trustedExtensions: string[] }> {
  const { rows } = await sql<{ isSuperuser: boolean; trustedExtensions: string[] }>`
    select (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      coalesce(array_agg(distinct name::text) filter (where trusted or not superuser), '{}') as "trustedExtensions"
    from pg_available_extension_versions`.execute(connection);
  return rows[0] ?? { isSuperuser: false, trustedExtensions: [] };
}
