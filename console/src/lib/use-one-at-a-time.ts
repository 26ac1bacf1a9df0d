import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Runs one piece of work at a time: two quick Enters submit twice before the button is drawn as loading.
 * @returns `run`, which answers undefined to whoever comes while it is busy, and `isBusy` to draw
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
      // Drawn at once: a dialog's body is inert while busy, and a field in it could not take the focus that follows.
      flushSync(() => setBusy(false));
    }
  }
  return { run, isBusy };
}
