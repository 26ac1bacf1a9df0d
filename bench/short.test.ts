// The short form of `npm run bench`: what a list costs beside the least that it can cost, in processor time, which a busy machine changes
// less than answers a second.
import { expect, test } from 'vitest';
import { makeInstallation } from './installation.ts';
import { cpuOf, type Effort, measureRounds, type Round, VARIANTS } from './list-load.ts';
import { LISTS } from './lists.ts';
import { summarise } from './measurements.ts';
import { type Sides, withSides } from './sides.ts';

const EFFORT: Effort = { rounds: 5, answers: 20, most: 2_000 };

/**
 * What a list may cost at most, as a multiple of what a plain table costs. Six runs, idle and busy, gave 0.04 to 0.13 unchanged, as the
 * answer comes from memory, and 0.38 to 0.63 with writes, as those who ask at once share an answer.
 */
const MOST = { unchanged: 0.3, written: 1 };

test('a list of 1,000 tenants costs less than a plain table, and far less if nothing has changed', async () => {
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
    expect(costs.unchanged).toBeLessThan(MOST.unchanged);
    expect(costs.written).toBeLessThan(MOST.written);
  } finally {
    await installation.remove();
  }
});

const median = (rounds: Round[] = []) => summarise(rounds.map(cpuOf)).median;
