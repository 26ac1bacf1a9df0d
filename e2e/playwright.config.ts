import { defineConfig, devices } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  globalSetup: './global-setup.ts',
  outputDir: 'test-results',
  // Three on two cores: while one waits for a process or a limit, another works.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // All limits are long, for slow machines: they only find what hangs. What is waited for may be the end of an operation, such as of a restore.
  timeout: 480_000,
  expect: { timeout: 120_000 },
  reporter: [['list'], ...(process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['json'] as const] : [])],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 860 },
    actionTimeout: 120_000,
    // Nothing slides or fades: drawing each step of it took a fifth of a run. What looks at motion asks for it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // The trace holds actions and calls. Snapshots of the page at each step (`--trace on`) take half of a run's time.
    trace: { mode: 'retain-on-failure', snapshots: false, screenshots: false },
    launchOptions: {
      executablePath: process.env.APOTHECA_CHROMIUM,
      // Chromium refuses its sandbox to root. A page lives for some seconds here: what V8 optimizes meanwhile, in threads of its own, costs more
      // than it saves (an eighth of a run's processor time). The other switches keep Chromium from calling its makers.
      args: [
        '--no-sandbox',
        '--js-flags=--no-opt --no-maglev --always-sparkplug',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
      ],
    },
  },
});
