import type { Suite } from './suite.ts';
import { clientSuites } from './suites/clients.ts';
import { connectionSuites } from './suites/connections.ts';
import { hostileSuites } from './suites/hostile.ts';
import { objectSuites } from './suites/objects.ts';
import { representationSuites } from './suites/representations.ts';
import { storageSuites } from './suites/storage.ts';

/** All suites outside `npm test`. Within an area those come first that tell most in the least time. */
export const suites: readonly Suite[] = [
  ...objectSuites,
  ...representationSuites,
  ...connectionSuites,
  ...storageSuites,
  ...clientSuites,
  ...hostileSuites,
];
