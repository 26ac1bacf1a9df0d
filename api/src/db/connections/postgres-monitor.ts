import pg from 'pg';
import { limitPool } from './limited-waits.ts';
import { sessionSettings } from './session-settings.ts';
import { Pulse, type Watch, watchOver } from './watch.ts';

/** How often PostgreSQL is asked for a sign of life, in milliseconds. */
const INTERVAL = 1_000;
/** Longest wait for it, in milliseconds, until another connection is tried. */
const LIMIT = 5_000;

/** What tells a PostgreSQL that is away from one that has too much to do, however full the pools are: a connection of its own. */
export interface PostgresMonitor {
  pulse: Pulse;
  watch: Watch;
  close(): Promise<void>;
}

/** @param url connection string of the control database */
export function openPostgresMonitor(url: string): PostgresMonitor {
  const pulse = new Pulse();
  const settings = { ...sessionSettings(url, 'call'), connectionTimeoutMillis: LIMIT };
  // It keeps no process from ending.
  const pool = limitPool(new pg.Pool({ ...settings, max: 1, allowExitOnIdle: true }), { pulse, limit: LIMIT });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;
  const ask = async () => {
    // Who waits for PostgreSQL finds out by the pulse.
    await pool.query('select 1').catch(() => {});
    if (isOpen) timer = setTimeout(ask, INTERVAL).unref();
  };
  void ask();
  return {
    pulse,
    watch: watchOver(pool),
    async close() {
      isOpen = false;
      clearTimeout(timer);
      await pool.end();
    },
  };
}
