import type pg from 'pg';

/** Digests of PostgreSQL's system catalogues, by the catalogue's name. */
export type CatalogueDigests = ReadonlyMap<string, string>;

/** Catalogues that loading rows does not change at all: functions, owners, rights, triggers, rules, large objects. */
const UNCHANGED = [
  'pg_proc',
  'pg_type',
  'pg_namespace',
  'pg_operator',
  'pg_cast',
  'pg_attrdef',
  'pg_constraint',
  'pg_trigger',
  'pg_rewrite',
  'pg_policy',
  'pg_event_trigger',
  'pg_extension',
  'pg_language',
  'pg_default_acl',
  'pg_init_privs',
  'pg_largeobject_metadata',
  'pg_foreign_data_wrapper',
  'pg_foreign_server',
  'pg_publication',
];

/** The parts of other catalogues that loading rows does not change. $1 is the loading role; its own settings are dropped with it. */
const UNCHANGED_PARTS = {
  pg_class: `select oid, relname, relnamespace, relkind, relpersistence, relowner, relacl, reloptions, relrowsecurity,
    relforcerowsecurity from pg_class`,
  pg_attribute: 'select attrelid, attnum, attname, atttypid, attacl, attoptions from pg_attribute',
  pg_database: `select oid, datname, datdba, datacl, datconnlimit from pg_database where datname = current_database()`,
  pg_shdepend: `select d.* from pg_shdepend d, this where d.dbid = this.database or d.refobjid = this.role`,
  pg_db_role_setting: `select s.* from pg_db_role_setting s, this
    where s.setdatabase = this.database and s.setrole <> this.role`,
  pg_roles: `select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
    from pg_roles where rolname = $1`,
  pg_auth_members: `select m.* from pg_auth_members m, this where this.role in (m.roleid, m.member)`,
};

const CATALOGUES = [...UNCHANGED.map((name) => [name, `select * from ${name}`]), ...Object.entries(UNCHANGED_PARTS)];

const DIGESTS = CATALOGUES.map(
  ([name, rows]) => `
      select '${name}' as name, md5(coalesce(string_agg(md5(r::text), '' order by md5(r::text) collate "C"), '')) as digest
      from (${rows}) r`,
).join('\nunion all\n');

const ROW_DIGESTS = CATALOGUES.map(
  ([name, rows]) => `select '${name}' as name, coalesce(array_agg(md5(r::text)), '{}') as digests from (${rows}) r`,
).join('\nunion all\n');

/**
 * Digests of what the system catalogues say about a database and about the role that loads an archive into it. They cover everything
 * but rows that the archive's SQL could leave behind.
 * @param client an administrator's session
 * @see https://www.postgresql.org/docs/15/catalogs.html
 */
export async function readCatalogueDigests(client: pg.Client, roleName: string): Promise<CatalogueDigests> {
  const { rows } = await client.query<{ name: string; digest: string }>(
    `with this as (
       select d.oid as database, r.oid as role from pg_database d, pg_roles r
       where d.datname = current_database() and r.rolname = $1
     )
     ${DIGESTS}`,
    [roleName],
  );
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/** Catalogues to which a role without a superuser's rights adds nothing. */
const CLOSED = /^pg_(event_trigger|language|default_acl|largeobject_metadata|foreign_|publication|db_role_setting)/;

/**
 * What the system catalogues say about a database and about the administrator: for each catalogue the digests of its rows.
 * @param client the administrator's session
 */
export async function readCatalogueRows(client: pg.Client): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await client.query<{ name: string; digests: string[] }>(
    `with this as (
       select d.oid as database, r.oid as role from pg_database d, pg_roles r
       where d.datname = current_database() and r.rolname = $1
     )
     ${ROW_DIGESTS}`,
    [client.user],
  );
  return new Map(rows.map(({ name, digests }) => [name, new Set(digests)]));
}

/** The catalogues that have lost or changed a row, or have one that only an administrator could add. */
export function listChangedCatalogues(
  before: ReadonlyMap<string, ReadonlySet<string>>,
  after: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return [...before].flatMap(([name, rows]) => {
    const now = after.get(name) ?? new Set<string>();
    const isKept = [...rows].every((row) => now.has(row)) && !(CLOSED.test(name) && now.size > rows.size);
    return isKept ? [] : [name];
  });
}
