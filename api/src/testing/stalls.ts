/** How often a process that does not stand still comes to its timer, in milliseconds. */
const TICK = 50;

/** What this thread has computed so far, in milliseconds. */
function computed(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Adds up how long this thread stands still. What it computes meanwhile, as the product does where it runs in the test's process, is none of it. */
export function watchStalls() {
  let last = performance.now();
  let used = computed();
  let stalled = 0;
  /** For how many milliseconds it has stood still by now. */
  const sum = () => {
    const [now, by] = [performance.now(), computed()];
    stalled += Math.max(0, now - last - TICK - (by - used));
    [last, used] = [now, by];
    return stalled;
  };
  const ticking = setInterval(sum, TICK);
  return { sum, end: () => clearInterval(ticking) };
}

/**
 * Times work against a limit that the product promises. What stops this process, as others that take the processors, only adds to what its
 * clock shows.
 * @returns what `work` has answered, and after how many milliseconds, without those in which this process stood still
 */
export async function timedWithoutStalls<T>(work: () => Promise<T>): Promise<{ answer: T; took: number }> {
  const began = performance.now();
  const stalls = watchStalls();
  try {
    const answer = await work();
    return { answer, took: performance.now() - began - stalls.sum() };
  } finally {
    stalls.end();
  }
}
