import type pg from 'pg';
import { LOCK_TIMEOUT } from '../../../db/connections/session-settings.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { isDatabaseMissing, isLockTimeout } from '../../../db/errors/postgres-errors.ts';
import { AppError } from '../../../errors.ts';
import { cancellable } from '../../../operations/cancellable.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import { inWords } from '../../../wording.ts';
import {
  commitAppliedOperation,
  endEarlierSession,
  findAppliedOperation,
  listTablesInUse,
  sessionNameOf,
} from './applied-operations.repository.ts';

// Values keep every digit as text, whatever the server's own settings are. To compile a statement over all tables takes longer than it.
const BEGIN = `
  begin; set local lock_timeout = ${LOCK_TIMEOUT}; set local jit = off;
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local extra_float_digits = 3`;

/** What is known of a tenant's database from outside of it. */
interface TenantDatabase {
  name: string;
  physicalName: string;
  schemaVersion: number;
}

/** The version of the tenants' schema from which on a database notes what operations did in it. */
export const FIRST_VERSION = 9;

/**
 * Changes rows of a tenant's database in one transaction that notes itself there. A run that was begun anew finds the note of the
 * earlier one, changes nothing and can no longer be cancelled.
 * @param finishing index of the step that commits
 * @param work gives what is noted, which must be JSON; its statements end when the operation is cancelled
 * @param finish ends the operation by what was noted, while this session is still there; whoever waits for it is then told
 * @returns what was noted
 * @throws AppError busy when another session holds a table
 */
export function changeTenant<Noted>(
  run: Run,
  database: TenantDatabase,
  finishing: number,
  work: (client: pg.Client) => Promise<Noted>,
  finish: (noted: Noted) => Promise<void> = async () => {},
): Promise<Noted> {
  const change = async (client: pg.Client): Promise<Noted> => {
    const earlier = run.attempt === 1 ? undefined : await findEarlier<Noted>(client, run.operationId);
    if (earlier !== undefined) {
      await run.step(finishing).catch(unlessCutOff);
      return earlier;
    }
    try {
      const noted = await cancellable(run, processIdOf(client), async () => {
        await client.query(BEGIN);
        return work(client);
      });
      await run.step(finishing);
      await commitAppliedOperation(client, run.operationId, noted);
      return noted;
    } catch (error) {
      // A session that is gone has been rolled back by PostgreSQL.
      await client.query('rollback').catch(() => {});
      throw isLockTimeout(error) ? await inUse(client, database) : error;
    }
  };
  const changeAndFinish = async (client: pg.Client): Promise<Noted> => {
    const noted = await change(client);
    await finish(noted);
    run.context.queue.ended.emit(run.operationId);
    return noted;
  };
  return run.context.tenants.with(database.physicalName, changeAndFinish, {
    unlimited: true,
    applicationName: sessionNameOf(run.operationId),
  });
}

/**
 * Ends an operation that has changed a tenant's database by what it noted there.
 * @param database undefined where it is gone
 * @param finishing index of the step that commits
 * @returns whether it has; false for a database that is gone
 */
export async function completeChange<Database extends TenantDatabase, Noted>(
  run: Run,
  database: Database | undefined,
  finishing: number,
  finish: (database: Database, noted: Noted) => Promise<void>,
): Promise<boolean> {
  if (!database) return false;
  const noted = await run.context.tenants
    .with(database.physicalName, (client) => findEarlier<Noted>(client, run.operationId), {
      applicationName: sessionNameOf(run.operationId),
    })
    .catch((error: unknown) => {
      if (!isDatabaseMissing(error)) throw error;
    });
  if (noted === undefined) return false;
  await run.step(finishing).catch(unlessCutOff);
  await finish(database, noted as Noted);
  return true;
}

/** What is committed is finished: a cancellation comes too late for it, and a server that stops waits. */
function unlessCutOff(error: unknown): void {
  const isCutOff = error instanceof AppError && (error.code === 'cancelled' || error.code === 'interrupted');
  if (!isCutOff) throw error;
}

/** What a run that was cut off has done here. */
async function findEarlier<Noted>(client: pg.Client, operationId: string): Promise<Noted | undefined> {
  await endEarlierSession(client, operationId);
  return findAppliedOperation<Noted>(client, operationId);
}

async function inUse(client: pg.Client, database: TenantDatabase): Promise<AppError> {
  const tables = await listTablesInUse(client);
  const what = tables.length > 0 ? inWords(tables) : database.name;
  const message = `${what} ${tables.length > 1 ? 'are' : 'is'} in use by another session: nothing was changed. Please try again when it has ended.`;
  return new AppError('busy', { message });
}

/** Refuses a database whose schema cannot keep notes of operations. @throws AppError conflict */
export function refuseOldSchema({ name, schemaVersion }: TenantDatabase): void {
  if (schemaVersion >= FIRST_VERSION) return;
  throw new AppError('conflict', {
    message: `The schema of ${name} is of version ${schemaVersion}: it must be upgraded to version ${FIRST_VERSION} first.`,
  });
}
