import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a request may wait for PostgreSQL in all, in milliseconds. Together with its other work it then ends within 10 seconds. */
export const REQUEST_BUDGET = 8_000;

/** How long a request may still wait for PostgreSQL: for connections, locks, statements and rollbacks. */
export class TimeBudget {
  #left: number;
  #waits = 0;
  #since = 0;

  /** @param milliseconds in all */
  constructor(milliseconds = REQUEST_BUDGET) {
    this.#left = milliseconds;
  }

  /** Milliseconds; zero or negative when it is used up. */
  get left(): number {
    return this.#left - (this.#waits > 0 ? performance.now() - this.#since : 0);
  }

  /** Begins a wait. Waits at the same time count once. */
  begin(): void {
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
  }

  end(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#left -= performance.now() - this.#since;
  }

  /** Gives back time in which PostgreSQL was working. */
  refund(milliseconds: number): void {
    this.#left += milliseconds;
  }
}

const budgets = new AsyncLocalStorage<TimeBudget | undefined>();

/** The budget of the request that is being answered; undefined in operations and other work of the server itself. */
export const currentBudget = (): TimeBudget | undefined => budgets.getStore();

/** Runs `work`, and all that it starts, on a budget; undefined: without one. */
export const onBudget = <T>(budget: TimeBudget | undefined, work: () => T): T => budgets.run(budget, work);
