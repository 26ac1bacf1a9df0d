/*
 * Conditions on pg_stat_activity. Of the sessions of other roles an administrator who may not read all statistics (pg_read_all_stats) sees
 * the role, but neither kind nor state: both are null.
 * @see https://www.postgresql.org/docs/15/monitoring-stats.html
 */

/**
 * It belongs to a role. PostgreSQL's own processes, such as autovacuum's, do not: only a superuser may end them, and what needs a database
 * without sessions (copying, renaming, dropping) ends autovacuum's by itself.
 */
export const HAS_ROLE = 'usesysid is not null';

/** It is a client's, or may be one. */
export const IS_CLIENT = `${HAS_ROLE} and coalesce(backend_type, 'client backend') = 'client backend'`;

/** It is known to do nothing. Never null: after `null and` PostgreSQL still calls what follows, which would end a session that is busy. */
export const IS_IDLE = "coalesce(state = 'idle', false)";
