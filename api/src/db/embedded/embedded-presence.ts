import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { withDatabaseName } from '../connections/connection-string.ts';
import { PrimaryClient } from '../connections/primary-client.ts';
import { sessionSettings } from '../connections/session-settings.ts';

/** Name of the connections by which the processes that use the embedded server know of each other. */
const PRESENT = 'apotheca presence';
/** Key of the advisory lock that lets one process leave at a time. */
export const LEAVE_LOCK = 7_206_435;

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
 * @param presence undefined where this process could not join
 * @param stop stops the server; it is called in the last process, and if the server cannot be asked
 */
export async function leaveServers(
  url: string,
  presence: Presence | undefined,
  stop: () => Promise<void>,
): Promise<void> {
  const asking = await connect(url, 'apotheca leaving').catch(() => undefined);
  try {
    if (!asking || (await isLast(asking, presence))) await stop();
  } finally {
    await Promise.all([presence, asking].map((client) => client?.end().catch(() => {})));
  }
}

/** The lock lasts until the connection ends. By then other processes find this one gone, or the server stopped. */
async function isLast(asking: pg.Client, presence: Presence | undefined): Promise<boolean> {
  await asking.query('select pg_advisory_lock($1)', [LEAVE_LOCK]);
  // Renamed, because PostgreSQL lists a connection for a while after its end. A lost connection is listed no more.
  await presence?.query("set application_name = 'apotheca leaving'").catch(() => {});
  const text = 'select from pg_stat_activity where application_name = $1';
  return (await asking.query(text, [PRESENT])).rowCount === 0;
}

async function connect(url: string, application: string): Promise<pg.Client> {
  return new PrimaryClient(sessionSettings(withDatabaseName(url, 'postgres'), 'upkeep', application)).connect();
}

/** The first pause before PostgreSQL is looked for again, in milliseconds; each further one is twice as long. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;

/** A presence that is there again when PostgreSQL is. */
export interface LastingPresence {
  /** Ends the search for PostgreSQL. @returns the present connection, which may be lost */
  end(): Promise<Presence>;
}

/**
 * Replaces a presence that was lost, as PostgreSQL crashed, until it is ended. Without one, another process would stop PostgreSQL at its
 * own end, though this one uses it.
 * @param rejoin starts PostgreSQL where it does not run
 * @param onError is called with each failure to start it
 */
export function keepPresence(
  first: Presence,
  rejoin: () => Promise<Presence>,
  onError: (error: unknown) => void,
): LastingPresence {
  const ending = new AbortController();
  let present = first;
  let searching = Promise.resolve();
  const search = async () => {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      await setTimeout(pause, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      if (ending.signal.aborted) return;
      const found = await rejoin().catch(onError);
      if (found) return follow(found);
    }
  };
  const follow = (presence: Presence) => {
    present = presence;
    presence.once('end', () => {
      if (!ending.signal.aborted) searching = search();
    });
  };
  follow(first);
  return {
    async end() {
      ending.abort();
      await searching;
      return present;
    },
  };
}
