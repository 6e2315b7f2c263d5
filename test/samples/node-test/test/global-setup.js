// One process has the clusters of all test files. `node --test` wants a file here, no name of a package.
export { globalSetup, globalTeardown } from 'quarterdeck/global-setup';
