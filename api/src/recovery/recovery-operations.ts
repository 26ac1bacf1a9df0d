import { setTimeout } from 'node:timers/promises';
import { SERVER_ACTOR } from '../actor.ts';
import type { Context } from '../context.ts';
import type { OperationKind } from '../operations/operation-kind.ts';
import { startOperation, waitForOperation } from '../operations/operations.service.ts';
import { hasOperations } from './recovery.repository.ts';
import type { Recovery } from './stored-archives.ts';

/** How often it is looked whether operations of a run that was killed have ended, in milliseconds. */
const POLL = 100;

/** Waits for the operations that an earlier run began: they go on by themselves. */
export async function waitForEarlierOperations({
  context,
  signal,
}: Pick<Recovery, 'context' | 'signal'>): Promise<void> {
  while (await hasOperations(context.platform)) await setTimeout(POLL, undefined, { signal });
}

/** Runs an operation to its end. @throws AppError its failure */
export async function runOperation<Input>(context: Context, kind: OperationKind<Input>, input: Input): Promise<void> {
  const operation = await startOperation(context, SERVER_ACTOR, kind, input);
  while (!(await waitForOperation(context, operation, false)));
}
