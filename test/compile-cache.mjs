import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// `npm test` runs a hundred processes. They load the same modules, which Node.js compiles once so. It comes before tsx,
// and concerns this process only, none that tests start. It is no TypeScript: tsx loads modules on a slow thread of its
// own where TypeScript was imported before it.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'test-modules'));
