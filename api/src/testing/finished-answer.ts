import { setTimeout } from 'node:timers/promises';
import { isEnded, type OperationDetails } from '@apotheca/contract/operations';
import type { Answer } from './app.ts';
import { patiently } from './patiently.ts';

const POLL = 50;

/**
 * The final answer of a call that starts an operation, for machines so busy that the 10 seconds of a call are not enough.
 * @param answer any answer; after a 202 this waits for the operation's end
 * @param getOperation reads the state of an operation
 */
export async function finishedAnswer(answer: Answer, getOperation: (id: string) => Promise<Answer>): Promise<Answer> {
  if (answer.status !== 202) return answer;
  for (;;) {
    const look = await patiently(() => getOperation(answer.result.operationId));
    const { result }: { result: OperationDetails } = look;
    if (isEnded(result.state)) return { ...answer, ...outcomeOf(result) };
    await setTimeout(POLL);
  }
}

function outcomeOf({ message, result, error }: OperationDetails): Partial<Answer> {
  if (!error) return { status: 200, success: true, message, result };
  const { status, title, errors, result: details } = error;
  return { status, success: false, title, message, result: details, ...(errors && { errors }) };
}
