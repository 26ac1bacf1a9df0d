import { SERVER_ACTOR } from '../../actor.ts';
import { appendAudit, verifyKeptTrail } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { startWorker, type Worker } from '../../worker.ts';
import { keepAnchor, readNewestAnchor } from './anchors.ts';
import { removeExpiredEntries } from './retention.ts';
import {
  ifNobodyVerifies,
  noteProgress,
  noteVerification,
  readVerification,
  requestVerification,
} from './verification.repository.ts';

/** How often a server process looks whether a verification is wanted, in milliseconds. */
const POLL = 3_000;
/** The pause after a failure, such as while PostgreSQL is away, in milliseconds. */
const RETRY_AFTER = 60_000;
/** From this hour of the day on, in UTC, the verification of the night is due. */
const NIGHT = 1;
const HOUR = 3_600_000;
/** How many entries are read between two notes of the progress. */
const PROGRESS = 20_000;

/** How upkeep tells of itself. */
interface Listener {
  onError: (error: unknown) => void;
  /** Is given each anchor as a line, to be kept outside of the database. */
  onAnchor: (line: string) => void;
}

/**
 * Verifies the audit trail every night and when somebody asks for it, until it is stopped. What is right is shortened by what is too old,
 * and anchored. Rows of the control database say what is wanted: a verification whose server was killed begins anew in another one.
 */
export function startAuditUpkeep(
  context: Context,
  listener: Listener,
  { poll = POLL, retryAfter = RETRY_AFTER }: { poll?: number; retryAfter?: number } = {},
): Worker {
  return startWorker((stopping) =>
    keepTrail(context, listener, stopping).then(
      () => poll,
      (error: unknown) => {
        if (!stopping.aborted) listener.onError(error);
        return retryAfter;
      },
    ),
  );
}

/** Verifies the trail if that is due or asked for and no other server process does. */
export async function keepTrail(context: Context, listener: Listener, signal: AbortSignal): Promise<void> {
  if (!(await isWanted(context))) return;
  await context.utility.connection().execute((connection) =>
    ifNobodyVerifies(connection, async () => {
      // Another process may have done it by now.
      if (!(await isWanted(context))) return;
      await requestVerification(context.platform, context.now());
      await verify(context, listener, signal);
    }),
  );
}

/**
 * That of the night waits for a trusted clock: without one nothing would be removed that night. One that ended at a moment that is still to
 * come counts as none: the nights until then would have none.
 */
async function isWanted({ platform, now, trustedNow }: Context): Promise<boolean> {
  const { requestedAt, endedAt, isEndAhead } = await readVerification(platform, now());
  if (requestedAt !== null || endedAt === null || isEndAhead) return true;
  const isBeforeNight = (moment: Date | undefined) => moment !== undefined && endedAt.getTime() < newestNight(moment);
  return isBeforeNight(now()) && isBeforeNight(await trustedNow());
}

function newestNight(now: Date): number {
  const tonight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), NIGHT);
  return tonight > now.getTime() ? tonight - 24 * HOUR : tonight;
}

async function verify(context: Context, { onError, onAnchor }: Listener, signal: AbortSignal): Promise<void> {
  const { platform, keys, now } = context;
  const startedAt = now();
  const anchor = await readNewestAnchor(context, signal, onError);
  let told = 0;
  const { entries, problem, newest } = await verifyKeptTrail(platform, keys.audit, anchor, async (read) => {
    signal.throwIfAborted();
    if (read - told < PROGRESS) return;
    told = read;
    await noteProgress(platform, read);
  });
  const end = { startedAt, endedAt: now(), entries, problem: problem ?? '' };
  if (problem) {
    onError(new Error(`The audit trail is broken: ${problem}`));
    // Where it is broken at its end nothing can be appended, but what was found is to be shown.
    await noteBroken(context, end).catch(() => noteVerification(platform, end));
    return;
  }
  await removeExpiredEntries(context);
  await keepAnchor(context, newest, { signal, onError, onAnchor });
  await noteVerification(platform, end);
}

/** Notes what is wrong, with an entry that tells of it. */
async function noteBroken(context: Context, end: Parameters<typeof noteVerification>[1]): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    await noteVerification(trx, end);
    await appendAudit(context, trx, {
      actor: SERVER_ACTOR,
      action: 'audit.verify-failed',
      entity: 'audit',
      entityId: '',
      changes: { problem: end.problem },
    });
  });
}
