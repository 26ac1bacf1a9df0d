import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: './src/testing/global-setup.ts',
    include: ['src/**/*.test.ts'],
    maxWorkers: 3,
    // These limits find what hangs; a busy machine is no fault of the server's.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { poll: { interval: 10, timeout: 60_000 } },
  },
});
