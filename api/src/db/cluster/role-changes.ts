import { type RawBuilder, sql } from 'kysely';
import { isLockTimeout, isOvertaken } from '../errors/postgres-errors.ts';
import { literal } from './names.ts';
import type { ClusterSession } from './session.ts';

/** How often a change is tried. The last time it waits for as long as the session may wait for a lock. */
const TRIES = 10;
/** How long each time before that waits for a lock. */
const WAIT = sql.raw("'500ms'");

/** The catalogues that keep this lock until the end of a transaction that changes roles. Reading them takes another. */
const CHANGES_ROLES = sql`
  locktype = 'relation' and mode = 'RowExclusiveLock'
  and relation in ('pg_authid'::regclass, 'pg_auth_members'::regclass, 'pg_db_role_setting'::regclass)`;

/**
 * Changes roles of a tenant. A role may change its own password and settings, and whoever leaves the transaction open holds the role's row, for
 * which every other change would wait; where that transaction commits, PostgreSQL refuses who has waited. So sessions of the tenant that change
 * roles are ended first, and the change is tried again where another one has come between.
 * @param roleNames those whose sessions may hold the rows; nobody else's are ended
 * @param change statements without parameters
 */
export async function changeRoles(
  cluster: ClusterSession,
  roleNames: readonly string[],
  change: RawBuilder<unknown>,
): Promise<void> {
  const names = sql.join(roleNames.map(literal));
  const { isTransaction } = cluster;
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === TRIES;
    try {
      // One query, so that who has just been ended does not come back before the change. A transaction sees the sessions as they were when it first looked.
      await sql`
        ${isTransaction ? sql`savepoint changing_roles;` : sql``}
        ${isLast ? sql`` : sql`set local lock_timeout = ${WAIT};`}
        select pg_stat_clear_snapshot();
        select pg_terminate_backend(pid) from pg_stat_activity
        where usename in (${names}) and pid in (select pid from pg_locks where ${CHANGES_ROLES});
        ${change};
        ${isLast ? sql`` : sql`set local lock_timeout to default;`}
        ${isTransaction ? sql`release savepoint changing_roles` : sql``}`.execute(cluster);
      return;
    } catch (error) {
      if (isLast || !(isLockTimeout(error) || isOvertaken(error))) throw error;
      if (isTransaction) await sql`rollback to savepoint changing_roles`.execute(cluster);
    }
  }
}
