import { chmodSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';

const ending = '.cache';
/** Of one bundle: for the flags of a launcher, a server and a debugged one, and for those of another Node.js. */
const mostCaches = 6;

/** The code cache of a bundle for this release of Node.js, its flags and this processor: V8 rejects any other. */
export function codeCachePath(bundle: string): string {
  return `${bundle}.${cachedDataVersionTag().toString(16)}${ending}`;
}

/**
 * Tells whether a bundle was replaced, as by a build while servers run. V8 would take a cache of another source that is
 * as long.
 */
export function bundleState(bundle: string): string {
  const { ino, size, mtimeMs } = statSync(bundle, { throwIfNoEntry: false }) ?? { ino: 0, size: 0, mtimeMs: 0 };
  return [ino, size, mtimeMs].join(' ');
}

/**
 * Writes a code cache at once as a whole, since processes may start and end meanwhile, and removes the oldest ones of
 * its bundle. Nothing is said where the folder cannot be written: starts take a little longer then.
 */
export function keepCodeCache(path: string, contents: Uint8Array): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, contents);
    // Bundles can be read by all users, so what is made of them can be, too, whatever the umask of servers.
    chmodSync(temporary, 0o644);
    renameSync(temporary, path);
    removeOldest(path);
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // Nothing was written.
    }
  }
}

function removeOldest(path: string): void {
  const folder = dirname(path);
  const [bundle = ''] = /^.*\.js\./.exec(basename(path)) ?? [];
  const caches = readdirSync(folder)
    // With those that a killed process left unfinished.
    .filter((name) => name.startsWith(bundle) && name.includes(ending))
    .map((name) => ({ name, mtimeMs: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  for (const { name } of caches.slice(mostCaches)) rmSync(join(folder, name), { force: true });
}
