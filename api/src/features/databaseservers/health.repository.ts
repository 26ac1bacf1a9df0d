import { type Selectable, sql } from 'kysely';
import { IS_CLIENT } from '../../db/cluster/client-sessions.ts';
import type { ClusterSession } from '../../db/cluster/session.ts';
import type { Platform, PlatformTables } from '../../db/platform.ts';

export type HealthRow = Selectable<PlatformTables['databaseServerHealth']>;

/** What is known of the servers' health, by id. */
export async function listHealth(platform: Platform): Promise<ReadonlyMap<string, HealthRow>> {
  const rows = await platform.selectFrom('databaseServerHealth').selectAll().execute();
  return new Map(rows.map((row) => [row.serverId, row]));
}

/** What a server says of itself. */
export interface Figures {
  sessions: number;
  maxSessions: number;
  /** null: it does not say. */
  standbys: number | null;
  /** How far the slowest standby is behind; null: there is none, or it does not say. */
  lagSeconds: number | null;
}

/**
 * Reads the figures of a server. A role that may not read all statistics sees neither standbys nor lag. What reads the changes of one database
 * is no standby: moves and consumers of logical replication do.
 */
export async function readFigures(cluster: ClusterSession): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select
      (select count(*)::int from pg_stat_activity where ${sql.raw(IS_CLIENT)}) as sessions,
      current_setting('max_connections')::int as "maxSessions",
      case when pg_has_role('pg_read_all_stats', 'usage') then standby.count end as standbys, standby.lag as "lagSeconds"
    from (
      select count(*)::int as count, extract(epoch from max(s.replay_lag))::float8 as lag
      from pg_stat_replication s join pg_stat_activity a using (pid)
      where a.datid is null and s.application_name <> 'pg_basebackup'
    ) as standby`.execute(cluster);
  const [figures] = rows;
  if (!figures) throw new Error('PostgreSQL gave no figures');
  return figures;
}

const NO_FIGURES = { sessions: null, maxSessions: null, standbys: null, lagSeconds: null };

/** Notes that a server was asked: its figures, or why it did not answer. Since when it is away stays until it answers. */
export async function noteHealth(
  platform: Platform,
  serverId: string,
  found: { at: Date } & ({ figures: Figures } | { problem: string }),
): Promise<void> {
  const isAway = 'problem' in found;
  const row = {
    checkedAt: found.at,
    problem: isAway ? found.problem : '',
    ...(isAway ? NO_FIGURES : found.figures),
  };
  await platform
    .insertInto('databaseServerHealth')
    .values({ serverId, ...row, awaySince: isAway ? found.at : null })
    .onConflict((conflict) =>
      conflict.column('serverId').doUpdateSet({
        ...row,
        awaySince: isAway ? sql<Date>`coalesce(database_server_health.away_since, ${found.at})` : null,
      }),
    )
    .execute();
}
