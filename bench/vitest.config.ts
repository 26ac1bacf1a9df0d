import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.test.ts'],
    // This limit finds what hangs.
    testTimeout: 300_000,
  },
});
