import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: './global-setup.ts',
    include: ['*.test.ts'],
    // This limit finds what hangs.
    testTimeout: 300_000,
  },
});
