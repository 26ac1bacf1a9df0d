import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Budget, currentBudget, onBudget, SharedBudget } from './connections/time-budget.ts';
import { DatabaseTimeout } from './errors/postgres-errors.ts';

/** Most queries at a time: while one is answered the server has the callers of the one before to answer. */
const AT_ONCE = 2;
/** How long a query is waited for before the next one begins all the same, in milliseconds: its connection may be broken. */
const PATIENCE = 100;

interface Asked<Question, Answer> {
  question: Question;
  /** Of the request that asks. */
  budget: Budget | undefined;
  resolve(answer: Answer | Promise<Answer>): void;
  reject(error: unknown): void;
}

/**
 * One query for all who ask at the same time. Who asks while enough queries are under way shares the next one with all others who do, and with
 * whose calls arrive in the same turn of the event loop. So a query begins after all its questions have been asked: no answer is older than its
 * question, and many at once cost few queries. Nobody suffers from who else asks: where a query of several fails, each is asked for alone.
 * @param ask the query; @returns an answer for each question, in their order
 */
export function shareQuery<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const turn = pLimit(AT_ONCE);
  let next: Asked<Question, Answer>[] | undefined;
  const begin = async () => {
    await setImmediate();
    const asked = next ?? [];
    next = undefined;
    await patiently(answerAll(asked, ask));
  };
  return (question) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const asked = { question, budget: currentBudget(), resolve, reject };
    if (next) next.push(asked);
    else {
      next = [asked];
      void turn(begin);
    }
    return promise;
  };
}

/** Waits for something that never fails, but not for long. */
function patiently(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function answerAll<Question, Answer>(
  asked: readonly Asked<Question, Answer>[],
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): Promise<void> {
  const budgets = asked.map((one) => one.budget).filter((one) => one !== undefined);
  const budget = budgets.length > 0 ? new SharedBudget(budgets) : undefined;
  try {
    const answers = await onBudget(budget, () => ask(asked.map(({ question }) => question)));
    for (const [place, { resolve }] of asked.entries()) resolve(answers[place] as Answer);
  } catch (error) {
    // Where no budget has ended the query took as long as any of its kind may: nobody waits for that twice.
    const isPastLimit = error instanceof DatabaseTimeout && !(budget && budget.left <= 0);
    for (const { question, budget: own, resolve, reject } of asked) {
      if (asked.length === 1 || isPastLimit || (own && own.left <= 0)) reject(error);
      else resolve(onBudget(own, async () => (await ask([question]))[0] as Answer));
    }
  }
}
