import { defineConfig } from '@playwright/test';
import tests from './playwright.config.ts';

/** Makes pictures with the browser and the steps of the tests, of a server with demo data (decision 069). */
export default defineConfig({
  ...tests,
  testDir: 'screenshots',
  // The guide's pictures change the administrator's language meanwhile.
  workers: 1,
  globalSetup: './demo-server.ts',
  outputDir: 'test-results/screenshots',
});
