import pLimit from 'p-limit';
import { Gauge, type Registry } from 'prom-client';

/** A read is repeated at the earliest after this many times the time that it took: short reads of one kind take at most a twentieth of a connection's time. */
const REST = 20;
/** The longest of these pauses, in milliseconds: a scrape is not to find figures that are older. Reads of a second and more take a larger part. */
const LONGEST_REST = 15_000;
/** How long a scrape waits for a read, in milliseconds: figures do not queue behind calls. */
const PATIENCE = 1_000;
/** How long it waits for the first one: Prometheus gives up after 10 seconds, and would lose the figures of the process as well. */
const FIRST_PATIENCE = 8_000;
/** How many reads go on at once, as calls need connections too. */
const inTurn = pLimit(2);

/** A value of a gauge, with a value for each of its labels. */
interface Sample {
  value: number;
  labels?: Record<string, string>;
}

/** A gauge whose samples follow from what is read of the control database. */
export interface Figure<Read> {
  help: string;
  /** Each takes values of a short list only, such as kinds or the database servers; never names or ids of tenants or people. */
  labels?: readonly string[];
  samplesOf(read: Read): readonly Sample[];
}

/**
 * Adds gauges that share one read of the control database. Where it cannot be read, or not in time, they have no samples.
 * @param read the statement; it is sent by scrapes only, and the longer it takes, the more seldom
 * @param figures by their names
 */
export function addFigures<Read>(
  registry: Registry,
  read: () => Promise<Read>,
  figures: Record<string, Figure<Read>>,
): void {
  const readThrottled = throttled(read);
  for (const [name, { help, labels = [], samplesOf }] of Object.entries(figures)) {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const found = await readThrottled();
        this.reset();
        // A gauge without labels is 0 after a reset.
        if (labels.length === 0) this.remove();
        for (const { labels: of = {}, value } of found === undefined ? [] : samplesOf(found)) this.set(of, value);
      },
    });
  }
}

/**
 * Reads at most as often as {@link REST} says, once for all who ask meanwhile.
 * @returns what was read; while that takes long, what was read before; undefined where the last read failed
 */
export function throttled<Read>(read: () => Promise<Read>): () => Promise<Read | undefined> {
  let last: Read | undefined;
  let underWay: Promise<Read | undefined> | undefined;
  let keptUntil = 0;
  let patience = FIRST_PATIENCE;
  const begin = async () => {
    const began = performance.now();
    last = await read().catch(() => undefined);
    const ended = performance.now();
    keptUntil = last === undefined ? 0 : ended + Math.min((ended - began) * REST, LONGEST_REST);
    underWay = undefined;
    patience = PATIENCE;
    return last;
  };
  return async () => {
    if (performance.now() < keptUntil) return last;
    underWay ??= inTurn(begin);
    return within(underWay, patience, last);
  };
}

/** What a promise resolves to, or something else where that takes too long. */
async function within<Value>(awaited: Promise<Value>, milliseconds: number, instead: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(instead), milliseconds);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}
