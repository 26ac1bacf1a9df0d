import { expect, it } from 'vitest';
import { makeFailureLog } from './failure-log.ts';

function makeLog() {
  const lines: { message: string; repeats?: number }[] = [];
  const clock = { now: 0 };
  const error = ({ err, repeats }: { err: Error; repeats?: number }) =>
    lines.push({ message: err.message, ...(repeats !== undefined && { repeats }) });
  return { lines, clock, report: makeFailureLog({ error } as never, () => clock.now) };
}

it('logs a failure at once, and the same one a minute later with how often it came in between [DECISIONS §13]', () => {
  const { lines, clock, report } = makeLog();
  for (; clock.now < 60_000; clock.now += 1_000) report(new Error('connect ECONNREFUSED'));
  expect(lines).toEqual([{ message: 'connect ECONNREFUSED' }]);
  report(new Error('connect ECONNREFUSED'));
  expect(lines[1]).toEqual({ message: 'connect ECONNREFUSED', repeats: 59 });
  // After a pause it counts from the beginning.
  clock.now += 120_000;
  report(new Error('connect ECONNREFUSED'));
  expect(lines[2]).toEqual({ message: 'connect ECONNREFUSED' });
});

it('tells failures apart by what is in them [DECISIONS §13]', () => {
  const { lines, report } = makeLog();
  report(new Error('The copy has failed.', { cause: new Error('no room') }));
  report(new Error('The copy has failed.', { cause: new Error('no such bucket') }));
  report(new AggregateError([new Error('first')], '1 backups not started'));
  report(new AggregateError([new Error('second')], '1 backups not started'));
  report(new AggregateError([new Error('second')], '1 backups not started'));
  expect(lines).toHaveLength(4);
});
