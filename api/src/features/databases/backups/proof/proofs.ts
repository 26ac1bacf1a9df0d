import { SERVER_ACTOR } from '../../../../actor.ts';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../errors.ts';
import { startOperation } from '../../../../operations/operations.service.ts';
import { attemptEach } from '../../attempt-each.ts';
import { backupOperation } from '../backup.operation.ts';
import { ifNobodyTicks } from '../schedule/schedule-runs.repository.ts';
import { isProving, listDueProofs, listRenewals, noteProofBegun } from './proofs.repository.ts';
import { proveOperation } from './prove.operation.ts';

/**
 * Makes newest backups anew whose proof failed, and starts the next proof that is due. A kill at any place loses nothing: the next tick,
 * of any server, goes by what the control database says.
 * @returns whether a proof waits or runs now
 */
export async function runProofs(context: Context): Promise<boolean> {
  await context.utility.connection().execute((connection) => ifNobodyTicks(connection, () => tick(context)));
  return isProving(context.platform);
}

async function tick(context: Context): Promise<void> {
  const { platform, proofs } = context;
  await attemptEach(
    await listRenewals(platform, context.now()),
    ({ backupId: renews, databaseId }) =>
      unlessRefused(startOperation(context, SERVER_ACTOR, backupOperation, { databaseId, renews })),
    'backups not made anew',
  );
  if (proofs.minutesPerDay === 0 || (await isProving(platform))) return;
  for (const backupId of await listDueProofs(platform, context.now(), proofs)) {
    const proof = startOperation(context, SERVER_ACTOR, proveOperation, { backupId });
    await unlessRefused(unlessTooLarge(context, backupId, proof));
    if (await isProving(platform)) return;
  }
}

/** A backup that the disk has no room for has come to no result: it is tried again after a day, and keeps no other from its turn. */
async function unlessTooLarge({ platform, now }: Context, backupId: string, start: Promise<unknown>): Promise<void> {
  await start.catch(async (error: unknown) => {
    if (!(error instanceof AppError && error.code === 'disk-full')) throw error;
    await platform.transaction().execute((trx) => noteProofBegun(trx, backupId, now()));
  });
}

/** What is refused now, as something else goes on, is due again with the next tick. */
async function unlessRefused(start: Promise<unknown>): Promise<void> {
  await start.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}
