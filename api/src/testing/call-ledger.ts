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

/** What was attempted while a part was away. */
export interface Meanwhile extends Counted {
  /** The longest time in which none of it succeeded, in milliseconds. */
  unserved: number;
}

/** Numbers by what they are of. */
type Tally = Record<string, number>;

export interface LedgerFigures {
  hit: Counted;
  outside: Counted;
  outcomes: Tally;
  /** By whose kill explains a failure and by its outcome: 'home: 503'; {@link UNEXPLAINED}: nobody's. */
  failures: Tally;
  /** The failures that no kill explains, the first of them. */
  examples: string[];
}

const EXAMPLES = 20;
/** In place of a part. */
const UNEXPLAINED = 'none';

function count(tally: Tally, what: string): void {
  tally[what] = (tally[what] ?? 0) + 1;
}

/** Everything that clients attempted while processes and PostgreSQL servers were killed. */
export class CallLedger {
  readonly attempts: Attempt[] = [];
  readonly outages: Outage[] = [];

  /** The part whose outage an attempt has met that needs it, under way or as it began. */
  #hitBy({ needs, began, ended }: Attempt): string | undefined {
    return this.outages.find(({ part, from, until }) => needs.includes(part) && began <= until && ended >= from)?.part;
  }

  #isHit(attempt: Attempt): boolean {
    return this.#hitBy(attempt) !== undefined;
  }

  /** The same of an attempt at the same thing before it, what that has left is in the way of this one: a conflict. */
  #aftermathOf({ outcome, after }: Attempt): string | undefined {
    if (!outcome.startsWith('409')) return undefined;
    let earlier = after;
    while (earlier && !this.#isHit(earlier)) earlier = earlier.after;
    return earlier && this.#hitBy(earlier);
  }

  /** The part whose kill explains a failure of this attempt. */
  #explains(attempt: Attempt): string | undefined {
    return this.#hitBy(attempt) ?? this.#aftermathOf(attempt);
  }

  /** How many server processes were killed since a moment. */
  countKills(since: number): number {
    return this.outages.filter(({ part, from }) => part.startsWith('process') && from >= since).length;
  }

  figures(): LedgerFigures {
    const hit: Counted = { attempts: 0, failures: 0 };
    const outside: Counted = { attempts: 0, failures: 0 };
    const outcomes: Tally = {};
    const failures: Tally = {};
    const examples: string[] = [];
    for (const attempt of this.attempts) {
      const part = this.#explains(attempt);
      const counted = part ? hit : outside;
      counted.attempts += 1;
      count(outcomes, attempt.outcome);
      if (!attempt.hasFailed) continue;
      counted.failures += 1;
      count(failures, `${part ?? UNEXPLAINED}: ${attempt.outcome}`);
      if (!part && examples.length < EXAMPLES) examples.push(this.#describe(attempt));
    }
    return { hit, outside, outcomes, failures, examples };
  }

  /**
   * Of each outage of a part, what was begun meanwhile that does without it and was hit by nothing else.
   * @param other the part that all of it needs; outages at the time of one of that are left out
   */
  besides(part: string, other: string, isCounted: (attempt: Attempt) => boolean): Meanwhile[] {
    const both = (one: Outage) =>
      this.outages.some((two) => two.part === other && two.from <= one.until && two.until >= one.from);
    return this.outages
      .filter((outage) => outage.part === part && !both(outage))
      .map(({ from, until }) => {
        const others = this.attempts.filter(
          (attempt) =>
            isCounted(attempt) &&
            attempt.began >= from &&
            attempt.began <= until &&
            !attempt.needs.includes(part) &&
            !this.#explains(attempt),
        );
        const served = others.filter(({ hasFailed, ended }) => !hasFailed && ended <= until).map(({ ended }) => ended);
        const moments = [from, ...served.sort((one, two) => one - two), until];
        const waits = moments.slice(1).map((moment, before) => moment - Number(moments[before]));
        const failures = others.filter(({ hasFailed }) => hasFailed).length;
        return { attempts: others.length, failures, unserved: Math.round(Math.max(...waits)) };
      });
  }

  /** With the last outage of something that it needs. */
  #describe({ what, outcome, needs, began, ended }: Attempt): string {
    const last = this.outages.filter(({ part, from }) => needs.includes(part) && from <= ended).at(-1);
    const since = last ? `, ${Math.round(began - last.until)} ms after ${last.part} was whole` : '';
    return `${what}: ${outcome} after ${Math.round(ended - began)} ms${since}`;
  }
}
