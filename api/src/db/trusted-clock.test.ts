import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../testing/databases.ts';
import { openPlatform } from './platform.ts';
import { trustClock } from './trusted-clock.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

let database: TestDatabase;
let home: ReturnType<typeof openPlatform>;
beforeAll(async () => {
  database = await createEmptyDatabase();
  home = openPlatform({ url: database.url, maxConnections: 1 });
});
afterAll(async () => {
  await home.platform.destroy();
  await database.drop();
});

const clocks = { ahead: 0, elapsed: 0 };
const now = () => new Date(Date.now() + clocks.ahead);
const trust = () => trustClock(home.platform, { now, elapsed: () => clocks.elapsed });
/** So much time goes by: on both clocks, as PostgreSQL's is the real one. */
const pass = (time: number) => {
  clocks.elapsed += time;
  clocks.ahead += time;
};
beforeEach(() => Object.assign(clocks, { ahead: 0, elapsed: 0 }));

it('a clock is trusted once it has been steady for ten minutes since the start [DECISIONS §13]', async () => {
  clocks.ahead = -DAY;
  const trusted = trust();
  expect(await trusted()).toBeUndefined();
  pass(9 * MINUTE);
  expect(await trusted()).toBeUndefined();
  pass(MINUTE);
  expect(Number(await trusted()) - Number(now())).toBeCloseTo(0, -4);
});

it('one that was set is trusted ten minutes later, in whichever direction it was set [DECISIONS §13]', async () => {
  clocks.ahead = -DAY;
  const trusted = trust();
  for (const change of [-DAY, DAY]) {
    pass(20 * MINUTE);
    expect(await trusted()).toBeDefined();
    clocks.ahead += change;
    expect(await trusted()).toBeUndefined();
  }
  pass(9 * MINUTE);
  expect(await trusted()).toBeUndefined();
  pass(MINUTE);
  expect(await trusted()).toBeDefined();
});

it("is never ahead of PostgreSQL's [DECISIONS §13]", async () => {
  clocks.ahead = 365 * DAY;
  const trusted = trust();
  pass(10 * MINUTE);
  expect(Number(await trusted()) - Date.now()).toBeCloseTo(0, -4);
});
