/** How often a process that does not stand still comes to its timer, in milliseconds. */
const TICK = 50;

/**
 * Times work against a limit that the product promises. What stops this process, as others that take the processors, only adds to what its
 * clock shows.
 * @returns what `work` has answered, and after how many milliseconds, without those in which this process stood still
 */
export async function timedWithoutStalls<T>(work: () => Promise<T>): Promise<{ answer: T; took: number }> {
  const began = performance.now();
  let last = began;
  let stalled = 0;
  const look = () => {
    const now = performance.now();
    stalled += Math.max(0, now - last - TICK);
    last = now;
    return now;
  };
  const ticking = setInterval(look, TICK);
  try {
    const answer = await work();
    return { answer, took: look() - began - stalled };
  } finally {
    clearInterval(ticking);
  }
}
