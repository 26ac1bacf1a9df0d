import type pg from 'pg';

/**
 * Where the system catalogues say of an object what it is: the object's catalogue and id. Not pg_class of tables, whose rows TRUNCATE changes too,
 * and nothing that follows from another row, as the type of a table's rows.
 * @see https://www.postgresql.org/docs/15/catalogs.html
 */
const OBJECTS = [
  ...[
    'pg_namespace',
    'pg_proc',
    'pg_operator',
    'pg_cast',
    'pg_collation',
    'pg_constraint',
    'pg_policy',
    'pg_event_trigger',
    'pg_extension',
    'pg_default_acl',
    'pg_statistic_ext',
  ].map((catalogue) => [catalogue, `'${catalogue}'`, 'oid', 'true']),
  ['pg_class', "'pg_class'", 'oid', "relkind in ('v', 'm', 'f', 'c')"],
  ['pg_attribute', "'pg_class'", 'attrelid', 'true'],
  ['pg_attrdef', "'pg_class'", 'adrelid', 'true'],
  ['pg_index', "'pg_class'", 'indexrelid', 'true'],
  ['pg_inherits', "'pg_class'", 'inhrelid', 'true'],
  ['pg_sequence', "'pg_class'", 'seqrelid', 'true'],
  ['pg_rewrite', "'pg_class'", 'ev_class', 'true'],
  ['pg_trigger', "'pg_trigger'", 'oid', 'not tgisinternal'],
  ['pg_type', "'pg_type'", 'oid', 'typrelid = 0 and typelem = 0'],
  ['pg_enum', "'pg_type'", 'enumtypid', 'true'],
  ['pg_description', 'classoid', 'objoid', 'true'],
  // Owners and rights.
  ['pg_shdepend', 'classid', 'objid', 'dbid = (select oid from pg_database where datname = current_database())'],
] as const;

/**
 * The objects of a database that were made or changed after a moment, without those of a session, which end with it, and without TOAST tables.
 * @param since a condition on a row `t`
 * @returns each with its kind, such as 'view public.stock'
 */
export async function listChangedObjects(client: pg.Client, since: string): Promise<string[]> {
  const changed = OBJECTS.map(
    ([catalogue, ofKind, id, condition]) =>
      `select ${ofKind}::regclass::oid as kind, ${id} as id from ${catalogue} t where ${condition} and ${since}`,
  );
  const { rows } = await client.query<{ object: string }>(`
    select distinct o.type || ' ' || o.identity as object
    from (${changed.join(' union ')}) c cross join lateral pg_identify_object(c.kind, c.id, 0) o
    where o.identity !~ 'pg_temp|pg_toast' order by 1`);
  return rows.map(({ object }) => object);
}
