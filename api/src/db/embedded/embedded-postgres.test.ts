import { expect, it } from 'vitest';
import { stopRunning } from './embedded-postgres.ts';

const refused = () => Promise.reject(new Error('pg_ctl ended with code 1'));

/** Answers of `isRunning`, one after another. */
const answers =
  (...all: boolean[]) =>
  async () =>
    all.shift() ?? false;

it('a server that stops while it is being stopped is no error [DECISIONS §2]', async () => {
  await expect(stopRunning(answers(true, false), refused)).resolves.toBeUndefined();
});

it('a server that cannot be stopped is an error [DECISIONS §2]', async () => {
  await expect(stopRunning(answers(true, true), refused)).rejects.toThrow('pg_ctl ended with code 1');
});

it('a server that does not run is not stopped [DECISIONS §2]', async () => {
  await expect(stopRunning(answers(false), refused)).resolves.toBeUndefined();
});
