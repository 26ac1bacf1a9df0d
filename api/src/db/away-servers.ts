import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a database lives on a server that does not answer. What is started by itself there would only wait.
 * @param column the database's id, such as 'd.id'; where that is null, or no database's, it is false
 */
export const isOnAwayServer = (column: string): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from databases placed
    join database_server_health health on health.server_id = placed.server_id and health.away_since is not null
    where placed.id = ${sql.ref(column)}
  )`;
