import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { allowConnections } from '../../../db/cluster/database-sessions.ts';
import { endReplication, replicationName, subscribe, unpublish, unsubscribe } from '../../../db/cluster/replication.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { isStatementCancelled } from '../../../db/errors/postgres-errors.ts';
import { refuseHeldTable } from '../../../db/tenant-connection.ts';
import { AppError } from '../../../errors.ts';
import { cancellable } from '../../../operations/cancellable.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import { counted, inWords } from '../../../wording.ts';
import type { Exchanged } from '../server-exchange.ts';
import { sessionNameOf } from '../tenant-database/applied-operations.repository.ts';
import { listChangedObjects } from './changed-objects.repository.ts';
import {
  countFailures,
  endOtherClients,
  findMark,
  readChanges,
  readSequences,
  readSlot,
  readWrittenFromNow,
  setMark,
  setSequences,
} from './comparison.repository.ts';
import { type Copied, refuseOtherRows, refuseToFollow } from './copying.ts';

/** A copy is near enough for the switch when a change gets to it within this time, in milliseconds. */
const NEAR = 250;
/** The longest wait for the last change, while programs are kept out, in milliseconds. */
const LAST_CHANGE = 20_000;
const POLL = 10;
/** How often a copy is asked whether following fails, in milliseconds. */
const LOOK = 1_000;
/** How long a copy may not ask for changes, in milliseconds. PostgreSQL begins anew every five to ten seconds what has failed. */
const UNREAD = 20_000;
/** How often following fails at the same place until it is given up: a lost connection counts as well, and is over at the next attempt. */
const REPEATED = 3;
/** How long what a program does may go on at the switch, in milliseconds. */
export const GRACE = 500;

/** The two sessions that are there before the source is closed. */
interface Ends {
  source: pg.Client;
  copy: pg.Client;
}

/**
 * Brings a copy up to its source, closes the source, and finds out that the tables of the two are equal: materialized views have the rows of the copy's beginning. The source stays closed.
 * @param began when programs were kept out; undefined: they are not yet @returns when they were
 */
export async function bringToEnd(
  run: Run,
  exchanged: Exchanged,
  copied: Copied,
  began: number | undefined,
): Promise<number> {
  const { context, operationId } = run;
  const { target, other } = exchanged;
  const options = { unlimited: true, applicationName: sessionNameOf(operationId) };
  return context.tenants.with(
    other,
    (copy) =>
      context.tenants.with(
        target,
        async (source) => {
          const ends = { source, copy };
          const since = { source: copied.since, copy: await readWrittenFromNow(copy) };
          if (copied.password !== undefined) await follow(run, exchanged, ends, copied.password);
          await run.step(4);
          const heldSince = began ?? performance.now();
          await close(run, exchanged, ends, copied.password !== undefined);
          const ending = copied.password === undefined ? undefined : endReplication(run.cluster, run.operationId);
          const comparing = carrySequences(ends).then(() =>
            Promise.all([
              readChanges(source, since.source),
              readChanges(copy, since.copy),
              listChangedObjects(source, since.source),
            ]),
          );
          // Neither goes on once this has failed.
          await Promise.allSettled([ending, comparing]);
          const [expected, actual, changed] = await comparing;
          await ending;
          if (ending) await unpublish(source, replicationName(operationId));
          refuseOtherRows(target.name, expected, actual);
          refuseChangedObjects(target.name, changed);
          return heldSince;
        },
        options,
      ),
    options,
  );
}

/** How many objects a message names. */
const MOST_NAMED = 10;

/** Refuses a copy whose source has got other objects meanwhile: what follows are rows only. @throws AppError conflict, which names them */
function refuseChangedObjects(name: string, objects: readonly string[]): void {
  if (objects.length === 0) return;
  const others = objects.slice(MOST_NAMED).length;
  const named = [...objects.slice(0, MOST_NAMED), ...(others > 0 ? [counted(others, 'other object')] : [])];
  const message = `${name} was not moved: meanwhile somebody has made or changed ${inWords(named)}. Please try again.`;
  throw new AppError('conflict', { message, result: { objects } });
}

/** Lets the copy follow its source until it is near. */
async function follow(run: Run, { target, further }: Exchanged, ends: Ends, password: string): Promise<void> {
  const user = replicationName(run.operationId);
  await run.step(3);
  const { server } = further;
  const source = { url: run.server.url, physicalName: target.physicalName, user, password };
  await cancellable({ server, signal: run.signal }, processIdOf(ends.copy), () =>
    subscribe(ends.copy, user, source),
  ).catch((error: unknown) => {
    if (!isStatementCancelled(error)) throw error;
    return refuseToFollow(run, 'timeout expired');
  });
  let took = Number.POSITIVE_INFINITY;
  while (took > NEAR) {
    took = await untilFollowed(run, ends, Number.POSITIVE_INFINITY);
    run.progress(Math.min(1, NEAR / took));
  }
}

/** Closes the source; where the copy follows, it gets the last change. */
async function close(run: Run, { target }: Exchanged, ends: Ends, isFollowed: boolean): Promise<void> {
  await allowConnections(run.cluster, target.physicalName, false);
  await endOtherClients(ends.source, GRACE);
  if (!isFollowed) return;
  await untilFollowed(run, ends, LAST_CHANGE);
  await unsubscribe(ends.copy);
}

/** Changes the source, and waits until the copy has this and so all changes before. @returns how long that took, in milliseconds */
async function untilFollowed(run: Run, { source, copy }: Ends, limit: number): Promise<number> {
  const { operationId, signal } = run;
  const mark = randomUUID();
  const slot = replicationName(operationId);
  // Somebody may hold that table.
  await cancellable(run, processIdOf(source), () => setMark(source, operationId, mark)).catch(refuseHeldTable);
  const began = performance.now();
  let looked = began;
  let read = began;
  let failures = await countFailures(copy);
  let count = failures;
  let { confirmed: place } = await readSlot(source, slot);
  while ((await findMark(copy, operationId)) !== mark) {
    signal.throwIfAborted();
    const now = performance.now();
    if (now - began > limit) throw behind();
    if (now - looked > LOOK) {
      looked = now;
      const { isKept, isRead, confirmed } = await readSlot(source, slot);
      if (!isKept) throw notKept();
      const before = count;
      count = await countFailures(copy);
      if (confirmed !== place) failures = count;
      place = confirmed;
      if (count - failures >= REPEATED) throw cannotFollow();
      // One that has failed anew had asked for changes.
      if (isRead || count > before) read = now;
      // A source that is closed lets nobody in again.
      else if (limit === LAST_CHANGE) throw notRead();
      // What has failed once may take longer to ask again.
      if (now - read > (count > failures ? 2 * UNREAD : UNREAD)) throw notRead();
    }
    await setTimeout(POLL);
  }
  return performance.now() - began;
}

async function carrySequences({ source, copy }: Ends): Promise<void> {
  await setSequences(copy, await readSequences(source));
}

const behind = (): AppError =>
  new AppError('busy', {
    message: 'It was not moved: the copy did not get the last changes in time. Please try again.',
  });

const cannotFollow = (): AppError =>
  new AppError('conflict', {
    message: 'It was not moved: the copy cannot take over a change. The log of its database server says which one.',
  });

const notKept = (): AppError =>
  new AppError('conflict', {
    message:
      'It was not moved: the old server has not kept all changes until the copy had them. See max_slot_wal_keep_size there.',
  });

const notRead = (): AppError =>
  new AppError('conflict', {
    message: 'It was not moved: the copy no longer asks for changes. The log of its database server says why.',
  });
