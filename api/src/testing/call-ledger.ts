/** One attempt at something that clients want done: a call of the API, or a statement of a tenant's program. */
export interface Attempt {
  what: string;
  /** The processes and PostgreSQL servers without which it cannot succeed. */
  needs: readonly string[];
  /** Milliseconds of one clock, as those of the outages. */
  began: number;
  ended: number;
  /** The status, or why there was none. */
  outcome: string;
  /** It is tried again. */
  hasFailed: boolean;
  /** The attempt at the same thing before it. */
  after?: Attempt | undefined;
}

/** From the kill of a process or PostgreSQL server until it was whole again. */
export interface Outage {
  part: string;
  from: number;
  until: number;
}

/** A number of attempts, and how many of them failed. */
interface Counted {
  attempts: number;
  failures: number;
}

export interface LedgerFigures {
  hit: Counted;
  outside: Counted;
  outcomes: Record<string, number>;
  /** The failures that no kill explains, the first of them. */
  examples: string[];
}

const EXAMPLES = 20;

/** Everything that clients attempted while processes and PostgreSQL servers were killed. */
export class CallLedger {
  readonly attempts: Attempt[] = [];
  readonly outages: Outage[] = [];

  /** Whether an attempt was under way, or began, while something that it needs was away. */
  isHit({ needs, began, ended }: Attempt): boolean {
    return this.outages.some(({ part, from, until }) => needs.includes(part) && began <= until && ended >= from);
  }

  /** Whether an attempt was refused, with a conflict, because of what a hit attempt at the same thing has left. */
  #isAftermath({ outcome, after }: Attempt): boolean {
    let earlier = after;
    while (earlier && !this.isHit(earlier)) earlier = earlier.after;
    return earlier !== undefined && outcome.startsWith('409');
  }

  figures(): LedgerFigures {
    const hit: Counted = { attempts: 0, failures: 0 };
    const outside: Counted = { attempts: 0, failures: 0 };
    const outcomes: Record<string, number> = {};
    const examples: string[] = [];
    for (const attempt of this.attempts) {
      const isOutside = !this.isHit(attempt) && !this.#isAftermath(attempt);
      const counted = isOutside ? outside : hit;
      counted.attempts += 1;
      outcomes[attempt.outcome] = (outcomes[attempt.outcome] ?? 0) + 1;
      if (!attempt.hasFailed) continue;
      counted.failures += 1;
      if (isOutside && examples.length < EXAMPLES) examples.push(this.#describe(attempt));
    }
    return { hit, outside, outcomes, examples };
  }

  /** Of each outage of a part, how many attempts that do without it were begun meanwhile, hit by nothing else, and how many failed. */
  besides(part: string, isCounted: (attempt: Attempt) => boolean): Counted[] {
    return this.outages
      .filter((outage) => outage.part === part)
      .map(({ from, until }) => {
        const others = this.attempts.filter(
          (attempt) =>
            isCounted(attempt) &&
            attempt.began >= from &&
            attempt.began <= until &&
            !attempt.needs.includes(part) &&
            !this.isHit(attempt) &&
            !this.#isAftermath(attempt),
        );
        return { attempts: others.length, failures: others.filter(({ hasFailed }) => hasFailed).length };
      });
  }

  /** With the last outage of something that it needs. */
  #describe({ what, outcome, needs, began, ended }: Attempt): string {
    const last = this.outages.filter(({ part, from }) => needs.includes(part) && from <= ended).at(-1);
    const since = last ? `, ${Math.round(began - last.until)} ms after ${last.part} was whole` : '';
    return `${what}: ${outcome} after ${Math.round(ended - began)} ms${since}`;
  }
}
