import pg from 'pg';

/** A lock that a change of rows needs. */
export interface TableLock {
  name: string;
  /** As SQL writes it. */
  table: string;
  mode: 'access exclusive' | 'share row exclusive';
}

/**
 * Locks tables one after the other, until the transaction ends.
 * @throws DatabaseError 55P03 when another session keeps a lock for too long. It names that table, which nobody could find out afterwards: the
 * locks that this session had are gone by then, and whoever waited for them has them.
 */
export async function lockTables(client: pg.Client, locks: readonly TableLock[]): Promise<void> {
  const statements = locks.map(
    ({ name, table, mode }) => `wanted := ${pg.escapeLiteral(name)}; lock table ${table} in ${mode} mode;`,
  );
  const block = `
    declare wanted text;
    begin
      ${statements.join('\n')}
    exception when lock_not_available then
      raise using errcode = 'lock_not_available', message = sqlerrm, table = wanted;
    end`;
  await client.query(`do ${pg.escapeLiteral(block)}`);
}
