// The short form of `npm run bench`: what a list costs beside the least that it can cost, in processor time, which a busy machine changes
// less than answers a second.
import { expect, test } from 'vitest';
import { makeInstallation } from './installation.ts';
import { cpuOf, type Effort, measureRounds, type Round, VARIANTS } from './list-load.ts';
import { LISTS } from './lists.ts';
import { summarise } from './measurements.ts';
import { type Sides, withSides } from './sides.ts';

const EFFORT: Effort = { rounds: 5, answers: 20, most: 2_000 };

/** Seven runs on a busy machine gave 1.25 to 1.45, and 2.25 with a query that did its work twice. */
const MOST = 2;

test('a list of 1,000 tenants costs less than twice what a plain table costs', async () => {
  const installation = await makeInstallation({ settings: { fsync: 'off' } });
  try {
    const costs = await withSides(installation, LISTS.tenants, async (sides) => {
      const costOf = async (variant: Parameters<typeof measureRounds>[2]) => {
        const compared: (keyof Sides)[] = ['ours', 'plain'];
        const { ours, plain } = await measureRounds(installation, sides, { ...variant, sides: compared }, EFFORT);
        return median(ours) / median(plain);
      };
      return { unchanged: await costOf(VARIANTS.unchanged), written: await costOf(VARIANTS.written) };
    });
    expect(costs.unchanged).toBeLessThan(MOST);
    expect(costs.written).toBeLessThan(MOST);
  } finally {
    await installation.remove();
  }
});

const median = (rounds: Round[] = []) => summarise(rounds.map(cpuOf)).median;
