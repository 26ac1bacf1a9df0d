import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Runs one piece of work at a time, as two quick Enters submit twice before the button is drawn as loading.
 * @returns `run`, which returns undefined without running anything while another run is busy, and `isBusy` for drawing
 */
export function useOneAtATime() {
  const running = useRef(false);
  const [isBusy, setBusy] = useState(false);

  async function run<Result>(work: () => PromiseLike<Result>): Promise<Result | undefined> {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    try {
      return await work();
    } finally {
      running.current = false;
      // Drawn at once: while busy a dialog's body is inert, and its fields could not take the focus that follows.
      flushSync(() => setBusy(false));
    }
  }
  return { run, isBusy };
}
