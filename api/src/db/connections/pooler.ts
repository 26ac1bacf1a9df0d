import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { PrimaryClient } from './primary-client.ts';
import { sessionSettings } from './session-settings.ts';

/** How long one client may wait for a session that the other one keeps, in milliseconds. Only then the transaction is ended for it. */
const PATIENCE = 500;

/** A setting of the session that PostgreSQL itself does not know. */
const MARK = 'apotheca.session';

/** What PostgreSQL's protocol calls what it does not take; PgBouncer answers so to settings of a session. */
const PROTOCOL_VIOLATION = '08P01';
const NO_DATABASE = '3D000';

const POOLED =
  'a pooler stands before PostgreSQL (as PgBouncer in transaction mode) that gives one session to several clients or leaves out their settings: locks, limits and prepared statements would not hold. Name PostgreSQL itself here, and the pooler to programs of tenants only';

/**
 * Finds out whether two connections have sessions of their own, with the settings that they ask for: the server needs both for its
 * locks, limits and prepared statements. A database that is not there yet is left to others.
 * @throws Error where a pooler shares sessions or drops settings
 */
export async function refusePooler(url: string): Promise<void> {
  const settings = sessionSettings(url, 'upkeep');
  const connect = async () => {
    const options = `${settings.options} -c ${MARK}=own`;
    return new PrimaryClient({ ...settings, options }).connect().catch(explain);
  };
  const one = await connect();
  if (!one) return;
  try {
    const other = await connect();
    if (!other) return;
    try {
      if (!(await haveOwnSessions(one, other))) throw new Error(POOLED);
    } finally {
      await other.end();
    }
  } finally {
    await one.end();
  }
}

function explain(error: unknown): undefined {
  const { code } = error as { code?: string };
  if (code === NO_DATABASE) return undefined;
  throw code === PROTOCOL_VIOLATION ? new Error(POOLED, { cause: error }) : error;
}

async function haveOwnSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  const sessionOf = async (client: pg.Client): Promise<string> => {
    const { rows } = await client.query(`select pg_backend_pid() as pid, current_setting('${MARK}', true) as mark`);
    return `${rows[0].pid} ${rows[0].mark}`;
  };
  const first = await sessionOf(one);
  // Who is in a transaction keeps its session: a pooler would give it the one that the other client has just left.
  await other.query('begin');
  const second = await sessionOf(other);
  const again = sessionOf(one);
  await Promise.race([again, setTimeout(PATIENCE, undefined, { ref: false })]);
  await other.query('rollback');
  return first.endsWith(' own') && second !== first && (await again) === first;
}
