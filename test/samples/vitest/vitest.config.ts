import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One process has the clusters of all test files.
  test: { globalSetup: ['quarterdeck/global-setup'] },
});
