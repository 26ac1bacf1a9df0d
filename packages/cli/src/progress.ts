import type { Operation } from '@apotheca/client';
import { shown } from './output.ts';

/**
 * Tells on stderr how an operation is: on a terminal in one line that is written anew, else a line a step.
 * @param isWanted absent: on a terminal only
 */
export function progressOf(isWanted: boolean | undefined): {
  onProgress: ((operation: Operation) => void) | undefined;
  end(): void;
} {
  const { isTTY } = process.stderr;
  if (!(isWanted ?? isTTY)) return { onProgress: undefined, end: () => {} };
  let last = '';
  return {
    onProgress: ({ state, percent, steps, step }) => {
      const text = state === 'queued' ? 'waits for its turn' : shown(steps[step] ?? state);
      if (isTTY) process.stderr.write(`\r\u001b[K${String(percent).padStart(3)} %  ${text}`);
      else if (text !== last) process.stderr.write(`${text}\n`);
      last = text;
    },
    end: () => {
      if (isTTY && last) process.stderr.write('\r\u001b[K');
    },
  };
}
