import { forgetOldPlans } from './batches/batches.service.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { mergeTableChanges } from './db/json-list.ts';
import { makeDemo } from './demo/demo.ts';
import { forgetOldLinks } from './features/auth/recovery/recovery.service.ts';
import { forgetOldSessions } from './features/auth/sessions.service.ts';
import { noteGrowth } from './features/dashboard/growth.service.ts';
import { removeOldSources } from './features/databases/adoption/adoption.service.ts';
import { settleBackups } from './features/databases/backups/backup-deletion.ts';
import { startScheduleClock } from './features/databases/backups/schedule/scheduled-backups.ts';
import { planMissingCopies } from './features/databases/backups/stores/copies.service.ts';
import { settleDatabases } from './features/databases/database-settling.ts';
import { limitConnections, measureDatabases, startUpgrades, thinSizes } from './features/databases/database-upkeep.ts';
import { endLogins } from './features/databases/logins/ended-logins.ts';
import { noteVerifiers, repairLogins } from './features/databases/logins/login-repairs.ts';
import { removeExpired } from './features/databases/parking/parking-upkeep.ts';
import { sweepPurges } from './features/databases/purge/purge-upkeep.ts';
import { startDueRefreshes } from './features/databases/staging/due-refreshes.ts';
import { deleteUnusedPictures } from './features/faqs/images/images.service.ts';
import { forgetVoters } from './features/faqs/public/votes.service.ts';
import { announceExpiries, startAccessChanges } from './features/tenants/access/tenant-access.service.ts';
import { tenantsAsOwner } from './features/tenants/tenants.service.ts';
import { forgetOldDeliveries } from './features/webhooks/dispatch.ts';
import { forgetLateMails } from './mail/mails.service.ts';
import { forgetOldOperations } from './operations/operations.service.ts';
import { forgetOldKeys } from './plugins/idempotency.ts';
import { skipWhileRunning } from './skip-while-running.ts';
import type { Worker } from './worker.ts';

/** How often the work of killed server processes is settled, in milliseconds. */
const SETTLE_INTERVAL = 60_000;
/** How often due upgrades are queued and databases measured, in milliseconds. */
const UPKEEP_INTERVAL = 60_000;
/** How often expired rows are deleted, in minutes. */
const SWEEP_INTERVAL = 60;
/** After how many minutes that is done first: a clock is trusted after ten, and many a process does not live for an hour. */
const FIRST_SWEEP = 11;

/** What a server does by itself at intervals, beside operations: it settles interrupted work, looks after databases, and deletes what has expired. */
export function backgroundWork(context: Context, { demo, sessionDays }: Config) {
  let timers: NodeJS.Timeout[] = [];
  const stopping = new AbortController();
  const rounds = { settle: skipWhileRunning(), upkeep: skipWhileRunning(), sweep: skipWhileRunning() };
  let schedules: Worker | undefined;
  return {
    start(onError: (error: unknown) => void): void {
      // A job that fails does not keep the others from running.
      const each = async (jobs: readonly Job[]) => {
        for (const job of jobs) if (!stopping.signal.aborted) await job().catch(onError);
      };
      const upkeepJobs = upkeepOf(context, new Date(), stopping.signal);
      const sweep = async () => {
        const trusted = await context.trustedNow();
        if (trusted) await each(sweepOf({ ...context, now: () => trusted }, sessionDays, stopping.signal, onError));
      };
      const settle = () =>
        settleDatabases(context, tenantsAsOwner(context), { wait: false, stopping: stopping.signal });
      rounds.settle.begin(() => each([settle, ...(demo ? [() => makeDemo(context, stopping.signal)] : [])]));
      schedules = startScheduleClock(context, onError);
      rounds.upkeep.begin(() => each([() => planMissingCopies(context), ...upkeepJobs]));
      let minutes = 0;
      const sweepWhenDue = () => {
        minutes += 1;
        if (minutes % SWEEP_INTERVAL === FIRST_SWEEP) rounds.sweep.begin(() => each([sweep]));
      };
      timers = [
        setInterval(() => rounds.settle.begin(() => each([settle])), SETTLE_INTERVAL),
        setInterval(() => rounds.upkeep.begin(() => each(upkeepJobs)), UPKEEP_INTERVAL),
        setInterval(sweepWhenDue, 60_000),
      ];
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await Promise.all([...Object.values(rounds).map(({ end }) => end()), schedules?.stop()]);
    },
  };
}

type Job = () => Promise<unknown>;

/** What is looked after each minute. @param since the start of the server: an upgrade that failed after it waits for a person */
const upkeepOf = (context: Context, since: Date, stopping: AbortSignal): readonly Job[] => [
  () => endLogins(context, stopping),
  () => repairLogins(context, stopping),
  () => noteVerifiers(context, stopping),
  () => limitConnections(context, stopping),
  () => settleBackups(context, stopping),
  () => removeExpired(context),
  () => removeOldSources(context),
  () => startAccessChanges(context),
  () => announceExpiries(context),
  () => startDueRefreshes(context),
  () => startUpgrades(context, since),
  () => mergeTableChanges(context.pool),
  () => measureDatabases(context, stopping),
  () => noteGrowth(context),
];

/**
 * What is done each hour: what has expired is deleted, and copies are planned for backups of a process that had other stores, as before an upgrade.
 * @param context with a clock that is trusted (decision 038), as what is deleted cannot be had back
 */
const sweepOf = (
  context: Context,
  sessionDays: number,
  stopping: AbortSignal,
  onError: (error: unknown) => void,
): readonly Job[] => [
  () => sweepPurges(context, stopping),
  () => thinSizes(context),
  () => forgetOldOperations(context, stopping),
  () => forgetOldSessions(context, sessionDays, stopping),
  () => forgetLateMails(context, onError),
  () => forgetOldLinks(context),
  () => forgetOldDeliveries(context, stopping),
  () => forgetVoters(context),
  () => forgetOldKeys(context, stopping),
  () => deleteUnusedPictures(context, stopping),
  () => forgetOldPlans(context),
  () => planMissingCopies(context),
];
