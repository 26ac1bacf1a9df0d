import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a request may wait for PostgreSQL in all, in milliseconds. Together with its other work it then ends within 10 seconds. */
export const REQUEST_BUDGET = 8_000;

/** How long a request may still wait for PostgreSQL: for connections, locks, statements and rollbacks. */
export interface Budget {
  /** Milliseconds; zero or negative when it is used up. */
  readonly left: number;
  /** Begins a wait. Waits at the same time count once. */
  begin(): void;
  end(): void;
  /** Gives back time in which PostgreSQL was working. */
  refund(milliseconds: number): void;
}

/** The budget of one request. */
export class TimeBudget implements Budget {
  #left: number;
  #waits = 0;
  #since = 0;

  /** @param milliseconds in all */
  constructor(milliseconds = REQUEST_BUDGET) {
    this.#left = milliseconds;
  }

  get left(): number {
    return this.#left - (this.#waits > 0 ? performance.now() - this.#since : 0);
  }

  begin(): void {
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
  }

  end(): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#left -= performance.now() - this.#since;
  }

  refund(milliseconds: number): void {
    this.#left += milliseconds;
  }
}

/** The budget of what is done for several requests at once: what is waited counts for each, and it ends with the first that is used up. */
export class SharedBudget implements Budget {
  readonly #budgets: readonly Budget[];

  /** @param budgets one or more */
  constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
  }

  get left(): number {
    return Math.min(...this.#budgets.map(({ left }) => left));
  }

  begin(): void {
    for (const budget of this.#budgets) budget.begin();
  }

  end(): void {
    for (const budget of this.#budgets) budget.end();
  }

  refund(milliseconds: number): void {
    for (const budget of this.#budgets) budget.refund(milliseconds);
  }
}

const budgets = new AsyncLocalStorage<Budget | undefined>();

/** The budget of the request that is being answered; undefined in operations and other work of the server itself. */
export const currentBudget = (): Budget | undefined => budgets.getStore();

/** Runs `work`, and all that it starts, on a budget; undefined: without one. */
export const onBudget = <T>(budget: Budget | undefined, work: () => T): T => budgets.run(budget, work);
