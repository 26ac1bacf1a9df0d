import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: './src/testing/global-setup.ts',
    include: ['src/**/*.test.ts'],
    maxWorkers: 3,
    // These limits find what hangs; a busy machine is no fault of the server's.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { interval: 10, timeout: 240_000 } },
  },
});
