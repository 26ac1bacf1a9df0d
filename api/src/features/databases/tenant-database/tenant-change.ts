import type pg from 'pg';
import { LOCK_TIMEOUT } from '../../../db/connections/session-settings.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { isDatabaseMissing, isLockTimeout } from '../../../db/errors/postgres-errors.ts';
import { AppError } from '../../../errors.ts';
import { cancellable } from '../../../operations/cancellable.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import {
  commitAppliedOperation,
  endEarlierSession,
  findAppliedOperation,
  sessionNameOf,
} from './applied-operations.repository.ts';

/**
 * Begins a transaction that changes rows. The settings make every value exact as text, whatever the server's own settings are. JIT is
 * off because compiling a statement over all tables takes longer than running it.
 */
export const BEGIN = `
  begin; set local lock_timeout = ${LOCK_TIMEOUT}; set local jit = off;
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local extra_float_digits = 3`;

/** What the registry knows of a tenant's database. */
interface TenantDatabase {
  name: string;
  serverId: string;
  physicalName: string;
  schemaVersion: number;
}

/** The first version of the tenants' schema in which a database can note the operations that changed it. */
export const FIRST_VERSION = 9;

/**
 * Changes rows of a tenant's database in one transaction, which also notes the operation there. A later run of the operation finds the
 * note of an earlier one: it changes nothing and can no longer be cancelled.
 * @param commitStep index of the step that commits
 * @param work returns the note, which must be JSON. Its statements are cancelled with the operation.
 * @param finish ends the operation while this session is still open; callers that wait for the operation are told afterwards
 * @returns the note
 * @throws AppError busy when another session has locked a table
 */
export function changeTenant<Note>(
  run: Run,
  database: TenantDatabase,
  commitStep: number,
  work: (client: pg.Client) => Promise<Note>,
  finish: (note: Note) => Promise<void> = async () => {},
): Promise<Note> {
  const change = async (client: pg.Client): Promise<Note> => {
    const earlier = run.attempt === 1 ? undefined : await findEarlierNote<Note>(client, run.operationId);
    if (earlier !== undefined) {
      await run.step(commitStep).catch(ignoreCancellation);
      return earlier;
    }
    try {
      const note = await cancellable(run, processIdOf(client), async () => {
        await client.query(BEGIN);
        return work(client);
      });
      await run.step(commitStep);
      await commitAppliedOperation(client, run.operationId, note);
      return note;
    } catch (error) {
      // It fails when the session has ended, which PostgreSQL has then rolled back.
      await client.query('rollback').catch(() => {});
      throw isLockTimeout(error) ? inUseError(error, database) : error;
    }
  };
  const changeAndFinish = async (client: pg.Client): Promise<Note> => {
    const note = await change(client);
    await finish(note);
    run.context.queue.ended.emit(run.operationId);
    return note;
  };
  return run.context.tenants.with(database, changeAndFinish, {
    unlimited: true,
    applicationName: sessionNameOf(run.operationId),
  });
}

/**
 * Finishes an operation whose change was committed in a tenant's database.
 * @param database undefined when it no longer exists
 * @param commitStep index of the step that commits
 * @returns whether the change was committed; false for a database that no longer exists
 */
export async function completeChange<Database extends TenantDatabase, Note>(
  run: Run,
  database: Database | undefined,
  commitStep: number,
  finish: (database: Database, note: Note) => Promise<void>,
): Promise<boolean> {
  if (!database) return false;
  const note = await run.context.tenants
    .with(database, (client) => findEarlierNote<Note>(client, run.operationId), {
      applicationName: sessionNameOf(run.operationId),
    })
    .catch((error: unknown) => {
      if (!isDatabaseMissing(error)) throw error;
    });
  if (note === undefined) return false;
  await run.step(commitStep).catch(ignoreCancellation);
  await finish(database, note as Note);
  return true;
}

/** A committed change is always finished: it is too late to cancel it, and a stopping server waits for it. */
function ignoreCancellation(error: unknown): void {
  const isCancellation = error instanceof AppError && (error.code === 'cancelled' || error.code === 'interrupted');
  if (!isCancellation) throw error;
}

/** The note of an earlier run. Its session is ended first, as it may still be about to commit. */
async function findEarlierNote<Note>(client: pg.Client, operationId: string): Promise<Note | undefined> {
  await endEarlierSession(client, operationId);
  return findAppliedOperation<Note>(client, operationId);
}

function inUseError({ table }: pg.DatabaseError, database: TenantDatabase): AppError {
  const name = table ?? database.name;
  const message = `${name} is in use by another session: nothing was changed. Please try again when it has ended.`;
  return new AppError('busy', { message });
}

/** Refuses a database whose schema is too old to note operations. @throws AppError conflict */
export function refuseOldSchema({ name, schemaVersion }: TenantDatabase): void {
  if (schemaVersion >= FIRST_VERSION) return;
  throw new AppError('conflict', {
    message: `The schema of ${name} is of version ${schemaVersion}: it must be upgraded to version ${FIRST_VERSION} first.`,
  });
}
