// What the package `quarterdeck` exports. `servers/launcher/build-client.mjs` makes one bundle of it, with a file for
// each of the package's entries.
export { startCluster } from './start-cluster.ts';
export { globalSetup, globalTeardown, setUpRun, tearDownRun } from './global-setup.ts';
