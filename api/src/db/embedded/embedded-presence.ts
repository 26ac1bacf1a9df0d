import pg from 'pg';
import { withDatabaseName } from '../connections/connection-string.ts';
import { sessionSettings } from '../connections/session-settings.ts';

/** Marks the connections by which the processes that use the embedded server know of each other. */
const PRESENT = 'apotheca presence';
/** Key of the advisory lock under which one process at a time leaves. */
const LEAVE_LOCK = 7_206_435;

/** A connection held for as long as a process uses the server: pools close idle ones, so theirs tell nothing. */
type Presence = pg.Client;

/** Shows the others that this process uses the server. */
export async function joinServers(url: string): Promise<Presence> {
  const presence = await connect(url, PRESENT);
  // Whoever is just about to stop the server has counted without this process: its stop ends the wait with an error.
  await presence.query('select pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)', [LEAVE_LOCK]);
  return presence;
}

/**
 * Ends the use of the server. Of several that leave at once, each sees who has left before.
 * @param stop stops the server; it is called by the last one, and where the server cannot be asked
 */
export async function leaveServers(url: string, presence: Presence, stop: () => Promise<void>): Promise<void> {
  const asking = await connect(url, 'apotheca leaving').catch(() => undefined);
  try {
    if (!asking || (await isLast(asking, presence))) await stop();
  } finally {
    await Promise.all([presence, asking].map((client) => client?.end().catch(() => {})));
  }
}

/** The lock is held until the connection ends: by then the others find this process gone, or the server down. */
async function isLast(asking: pg.Client, presence: Presence): Promise<boolean> {
  await asking.query('select pg_advisory_lock($1)', [LEAVE_LOCK]);
  // PostgreSQL lists a connection for a while after its end. One that is lost already shows nothing.
  await presence.query("set application_name = 'apotheca leaving'").catch(() => {});
  const text = 'select from pg_stat_activity where application_name = $1';
  return (await asking.query(text, [PRESENT])).rowCount === 0;
}

async function connect(url: string, application: string): Promise<pg.Client> {
  const client = new pg.Client(sessionSettings(withDatabaseName(url, 'postgres'), 'upkeep', application));
  // The server may be stopped or killed under it; whoever uses it finds out by itself.
  client.on('error', () => {});
  await client.connect();
  return client;
}
