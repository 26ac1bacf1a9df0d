import { setTimeout } from 'node:timers/promises';
import type { Answer } from './app.ts';

const POLL = 100;

/**
 * Calls again for as long as there is too much to do at once, as clients do. On a busy machine a call waits for a lock or a connection
 * for longer than the product lets it.
 */
export async function patiently<T extends Pick<Answer, 'status' | 'title'>>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503 || answer.title !== 'Busy') return answer;
    await setTimeout(POLL);
  }
}
