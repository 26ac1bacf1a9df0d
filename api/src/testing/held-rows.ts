import { type KyselyPlugin, type RootOperationNode, UpdateQueryNode } from 'kysely';
import type { TestApp } from './app.ts';

/**
 * Holds a row of a batch between the note that it is begun and its write, until `work` has ended. The server waits for no lock meanwhile: such
 * a wait is limited, and a busy machine may need longer for `work`.
 * @param work gets what resolves when the row is held
 */
export async function whileRowWaits<T>(
  { context }: TestApp,
  { batchId, line }: { batchId: string; line: number },
  work: (held: Promise<void>) => Promise<T>,
): Promise<T> {
  const { platform } = context;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const notes = new WeakSet<object>();
  const isNote = (node: RootOperationNode) => {
    if (!UpdateQueryNode.is(node)) return false;
    const values = valuesIn(node);
    return ['batch_rows', 'begun', batchId, line].every((value) => values.has(value));
  };
  const holding: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (isNote(node)) notes.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (notes.has(queryId)) {
        hold();
        await released;
      }
      return result;
    },
  };
  context.platform = platform.withPlugin(holding);
  try {
    return await work(held);
  } finally {
    context.platform = platform;
    release();
  }
}

/** The names and values of a statement. */
function valuesIn(node: RootOperationNode): Set<unknown> {
  const values = new Set<unknown>();
  JSON.stringify(node, (_, value: unknown) => {
    values.add(value);
    return typeof value === 'object' ? value : undefined;
  });
  return values;
}
