import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { projects: ['api', 'console', 'bench'], maxWorkers: 2 },
});
