import { promisify } from 'node:util';
import { configure, getConfig } from '@testing-library/react';

/** Waits for what is to be done next, also where a test has stopped the clock. */
export const nextTask: () => Promise<void> = promisify(setImmediate);

// React runs effects after it has drawn, in a task of its own: what waited for the drawing goes on after that one. Once for all files of a worker.
const { asyncWrapper } = getConfig();
configure({
  async asyncWrapper(work) {
    const result = await asyncWrapper(work);
    await nextTask();
    return result;
  },
});
