import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a request may wait for PostgreSQL in all, in milliseconds: with what else it does, it then ends within 10 seconds. */
export const REQUEST_BUDGET = 8_000;

/** What is left of the time that a request may wait for PostgreSQL: to connect, for locks, for statements, to roll back. */
export class TimeBudget {
  #left: number;
  #waits = 0;
  #since = 0;

  /** @param milliseconds in all */
  constructor(milliseconds = REQUEST_BUDGET) {
    this.#left = milliseconds;
  }

  /** Milliseconds; none or less when it is used up. */
  get left(): number {
    return this.#left - (this.#waits > 0 ? performance.now() - this.#since : 0);
  }

  /** Begins a wait; waits at the same time count once. */
  begin(): void {
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
  }

  end(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#left -= performance.now() - this.#since;
  }

  /** Gives time back in which PostgreSQL was seen to work. */
  refund(milliseconds: number): void {
    this.#left += milliseconds;
  }
}

const budgets = new AsyncLocalStorage<TimeBudget | undefined>();

/** That of the request which is being answered; none in operations and other work of the server itself. */
export const presentBudget = (): TimeBudget | undefined => budgets.getStore();

/** Runs `work`, and all that it starts, on a budget; undefined: on none. */
export const onBudget = <T>(budget: TimeBudget | undefined, work: () => T): T => budgets.run(budget, work);
