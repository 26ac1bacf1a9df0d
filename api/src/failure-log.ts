import type { FastifyBaseLogger } from 'fastify';

/** How often the log is told of the same failure, in milliseconds. */
const TOLD_EVERY = 60_000;

/**
 * What logs the failures of background work: each at once, with its stack; the same one again after a minute at the earliest, with how
 * often it came since. Work that tries again each second would fill the log while PostgreSQL is away.
 * @param now milliseconds of a clock that only goes forward
 */
export function makeFailureLog(log: Pick<FastifyBaseLogger, 'error'>, now = () => performance.now()) {
  const told = new Map<string, { at: number; repeats: number }>();
  return (error: unknown): void => {
    const kind = kindOf(error);
    const last = told.get(kind);
    if (last && now() - last.at < TOLD_EVERY) {
      last.repeats += 1;
      return;
    }
    for (const [each, { at }] of told) if (now() - at >= TOLD_EVERY) told.delete(each);
    told.set(kind, { at: now(), repeats: 0 });
    log.error({ err: error, ...(last?.repeats && { repeats: last.repeats }) }, 'background work failed');
  };
}

/** Tells failures apart by all that their messages say. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [`${error.name}: ${error.message}`, ...inner.map(kindOf)].join('\n');
}
