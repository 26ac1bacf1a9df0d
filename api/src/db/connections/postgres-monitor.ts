import pg from 'pg';
import { limitPool } from './limited-waits.ts';
import { sessionSettings } from './session-settings.ts';
import { makeWatch, Pulse, type Watch } from './watch.ts';

/** How often PostgreSQL is asked for a sign of life, in milliseconds. */
const INTERVAL = 1_000;
/** How long to wait for it before another connection is tried, in milliseconds. */
const LIMIT = 5_000;

/** Tells a PostgreSQL that is away from one that is overloaded. It has a connection of its own, so full pools do not matter. */
export interface PostgresMonitor {
  pulse: Pulse;
  watch: Watch;
  close(): Promise<void>;
}

/** @param url connection string of a server @param pulse what its signs of life are noted in */
export function openPostgresMonitor(url: string, pulse = new Pulse()): PostgresMonitor {
  const settings = { ...sessionSettings(url, 'call'), connectionTimeoutMillis: LIMIT };
  // It does not keep the process from ending.
  const pool = limitPool(new pg.Pool({ ...settings, max: 1, allowExitOnIdle: true }), { pulse, limit: LIMIT });
  pool.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;
  const ask = async () => {
    // Errors show by the pulse, which waits for PostgreSQL check.
    await pool.query('select 1').catch(() => {});
    if (isOpen) timer = setTimeout(ask, INTERVAL).unref();
  };
  void ask();
  return {
    pulse,
    watch: makeWatch(pool),
    async close() {
      isOpen = false;
      clearTimeout(timer);
      await pool.end();
    },
  };
}
