import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// `npm test` runs this once, before its first file (`--test-global-setup`): the clusters of all files start from one
// build of the sources as they are now, not each from a thousand modules. On two quiet cores all tests took 192 s and
// 332 s of CPU so, 368 s and 582 s from sources (60 s of the time for another reason). The build lies in the project,
// since etcd3 is found in its node_modules.
const caches = join(import.meta.dirname, '..', 'node_modules', '.cache');
let bundles: string | undefined;

export function globalSetup(): void {
  if (process.env['QUARTERDECK_DIST'] !== undefined) return;
  mkdirSync(caches, { recursive: true });
  bundles = mkdtempSync(join(caches, 'test-bundles-'));
  execFileSync(
    process.execPath,
    [join(import.meta.dirname, '..', 'servers', 'launcher', 'build.mjs'), '--outdir', bundles],
    { stdio: 'inherit' },
  );
  process.env['QUARTERDECK_DIST'] = bundles;
}

export function globalTeardown(): void {
  if (bundles !== undefined) rmSync(bundles, { recursive: true, force: true });
}
