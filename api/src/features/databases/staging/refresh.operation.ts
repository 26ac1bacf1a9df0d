import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { operationKind } from '../../../operations/operation-kind.ts';
import { refuseChangedPlan } from '../../../plan.ts';
import { auditDatabase } from '../database-audit.ts';
import { registerCopy, undoCopy } from '../database-copy.ts';
import { refuseChangedTarget, reopenKept, swapIn, takeBackSwap } from '../database-swap.ts';
import { findDatabaseById } from '../databases.repository.ts';
import { getDatabaseById, holdAsFound } from '../databases.service.ts';
import { refuseSlots } from '../following.ts';
import { setRefreshedAt, takeDueRefresh } from './anonymized-clones.repository.ts';
import { getSource, planRefresh } from './anonymized-clones.service.ts';
import { ANONYMIZED_COPY_STEPS, buildAnonymizedCopy, describeAnonymizedCopy, OPENING } from './anonymized-copy.ts';

const input = z.object({
  databaseId: z.string(),
  /** Digest of the plan that was confirmed. */
  plan: z.string().optional(),
  /** The moment at which it was due; absent where somebody wants it now. */
  dueOnUtc: z.string().optional(),
});

/**
 * Makes an anonymized clone anew from its source, beside it, and swaps it in: id, role and connection string stay. Until then the clone
 * stays as it is, and so it does when this fails. The old rows are dropped.
 */
export const refreshOperation = operationKind({
  name: 'refresh',
  participle: 'refreshed',
  input,
  steps: ANONYMIZED_COPY_STEPS,
  async prepare(context, { databaseId, plan, dueOnUtc }, { id, actor }) {
    const target = await getDatabaseById(context.platform, databaseId);
    const source = await getSource(context, target);
    if (plan !== undefined) refuseChangedPlan(plan, await planRefresh(context, target));
    return {
      database: { id: target.id, name: target.name },
      claims: [id, target.id, source.id],
      sizeBytes: source.sizeBytes,
      register: async (trx) => {
        if (dueOnUtc !== undefined) {
          const isTaken = await takeDueRefresh(trx, target.id, new Date(dueOnUtc), context.now());
          // Another server has started it. A failed one that somebody starts again is as one by hand.
          if (!isTaken && actor.id === null) throw new AppError('conflict');
        }
        // Named after its id, as the name is taken. No list shows it.
        await registerCopy(context, trx, { id, name: id, tenantId: null, source });
        await holdAsFound(trx, target);
      },
    };
  },
  async run(run, { databaseId, plan }) {
    const { context, connection, operationId } = run;
    const copy = await getDatabaseById(connection, operationId);
    const target = await getDatabaseById(connection, databaseId);
    const source = await getDatabaseById(connection, copy.copiedFrom ?? '');
    await takeBackSwap(run, { target, other: copy });
    // Not before it is begun: one that is due would never be told of as failed.
    await refuseSlots(context, target);
    const copiedAt = context.now();
    const report = await buildAnonymizedCopy(run, copy, source);
    await run.step(OPENING);
    await refuseChangedTarget(run, target, plan, () => planRefresh(context, target));
    await swapIn(run, target, copy, undefined, async (trx) => {
      await setRefreshedAt(trx, target.id, copiedAt);
      await run.succeed(trx, {
        message: `Success! ${target.name} has been refreshed from ${source.name}: ${describeAnonymizedCopy(report)}`,
        result: { id: target.id, databaseName: target.name, ...report },
      });
      const { rows, leftOut } = report;
      await auditDatabase(run, trx, 'databases.refresh', target.id, {
        name: target.name,
        copyFrom: source.name,
        rows,
        ...(leftOut.length > 0 && { leftOut }),
      });
    });
  },
  async undo(run, { databaseId }) {
    const target = await findDatabaseById(run.connection, databaseId);
    const copy = await findDatabaseById(run.connection, run.operationId);
    if (target && copy?.state === 'creating') await takeBackSwap(run, { target, other: copy });
    await undoCopy(run);
    await reopenKept(run, target);
  },
});
