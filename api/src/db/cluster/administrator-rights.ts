import type pg from 'pg';
import { swappedMark } from './swap-mark.ts';

/** What the administrator's role may do on a server. */
export interface AdministratorRights {
  roleName: string;
  isSuperuser: boolean;
  /** What it lacks of what Apotheca needs, in words. */
  missing: string[];
  /** Whether it sees what the sessions of other roles do. */
  seesSessions: boolean;
}

interface Facts {
  roleName: string;
  isSuperuser: boolean;
  mayCreateDatabases: boolean;
  mayCreateRoles: boolean;
  maySignal: boolean;
  seesSessions: boolean;
}

/** Reads what the role of a session may do. @throws PostgreSQL's error */
export async function readRights(client: pg.Client): Promise<AdministratorRights> {
  // 'usage': a membership whose rights are not inherited (NOINHERIT, or INHERIT FALSE from PostgreSQL 16 on) does not help.
  const { rows } = await client.query<Facts>(`
    select rolname as "roleName", rolsuper as "isSuperuser", rolcreatedb as "mayCreateDatabases", rolcreaterole as "mayCreateRoles",
      pg_has_role('pg_signal_backend', 'usage') as "maySignal", pg_has_role('pg_read_all_stats', 'usage') as "seesSessions"
    from pg_roles where rolname = current_user`);
  const [facts] = rows;
  if (!facts) throw new Error('PostgreSQL does not know its own user');
  const { roleName, isSuperuser, seesSessions } = facts;
  const missing = [
    ...(facts.mayCreateDatabases ? [] : ['CREATEDB']),
    ...(facts.mayCreateRoles ? [] : ['CREATEROLE']),
    ...(facts.maySignal ? [] : ['membership in pg_signal_backend']),
  ];
  return { roleName, isSuperuser, missing: isSuperuser ? [] : missing, seesSessions };
}

/**
 * How many of an installation's databases and roles the role of a session may not change, as another role has made them. Up to PostgreSQL
 * 15 CREATEROLE is enough to change any role but superusers.
 * @param mark of the installation
 * @see https://www.postgresql.org/docs/16/role-attributes.html
 */
export async function countForeign(client: pg.Client, mark: string): Promise<{ databases: number; roles: number }> {
  const { rows } = await client.query<{ databases: number; roles: number }>(
    `select
      (select count(*)::int from pg_database
       cross join lateral shobj_description(oid, 'pg_database') as d (comment)
       where (comment in ($1, $1 || ', unfinished copy') or starts_with(comment, $2)) and not pg_has_role(datdba, 'usage')) as databases,
      (select count(*)::int from pg_roles
       where shobj_description(oid, 'pg_authid') = $1 and current_setting('server_version_num')::int >= 160000
         and not pg_has_role(oid, 'member with admin option')) as roles`,
    [mark, swappedMark(mark)],
  );
  return rows[0] ?? { databases: 0, roles: 0 };
}
