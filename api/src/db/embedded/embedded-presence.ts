import pg from 'pg';
import { withDatabaseName } from '../connections/connection-string.ts';
import { sessionSettings } from '../connections/session-settings.ts';

/** Name of the connections by which the processes that use the embedded server know of each other. */
const PRESENT = 'apotheca presence';
/** Key of the advisory lock that lets one process leave at a time. */
const LEAVE_LOCK = 7_206_435;

/** A connection that a process keeps as long as it uses the server. Those of its pools would not do, as pools close idle ones. */
type Presence = pg.Client;

/** Shows the others that this process uses the server. */
export async function joinServers(url: string): Promise<Presence> {
  const presence = await connect(url, PRESENT);
  // A process that is about to stop the server has not counted this one: the stop ends this wait with an error.
  await presence.query('select pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)', [LEAVE_LOCK]);
  return presence;
}

/**
 * Ends the use of the server. Processes leave one after another, so each sees who has left before.
 * @param stop stops the server; it is called in the last process, and if the server cannot be asked
 */
export async function leaveServers(url: string, presence: Presence, stop: () => Promise<void>): Promise<void> {
  const asking = await connect(url, 'apotheca leaving').catch(() => undefined);
  try {
    if (!asking || (await isLast(asking, presence))) await stop();
  } finally {
    await Promise.all([presence, asking].map((client) => client?.end().catch(() => {})));
  }
}

/** The lock lasts until the connection ends. By then other processes find this one gone, or the server stopped. */
async function isLast(asking: pg.Client, presence: Presence): Promise<boolean> {
  await asking.query('select pg_advisory_lock($1)', [LEAVE_LOCK]);
  // Renamed, because PostgreSQL lists a connection for a while after its end. A lost connection is listed no more.
  await presence.query("set application_name = 'apotheca leaving'").catch(() => {});
  const text = 'select from pg_stat_activity where application_name = $1';
  return (await asking.query(text, [PRESENT])).rowCount === 0;
}

async function connect(url: string, application: string): Promise<pg.Client> {
  const client = new pg.Client(sessionSettings(withDatabaseName(url, 'postgres'), 'upkeep', application));
  // The server may be stopped or killed meanwhile; the next query fails then.
  client.on('error', () => {});
  await client.connect();
  return client;
}
