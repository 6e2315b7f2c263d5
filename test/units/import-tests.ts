import { globSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '#test/quality/source-files.ts';

/**
 * Folders whose tests need a process each, as `npm test` gives every file: they start or end processes, or share what a
 * process has once.
 */
export const ownProcesses: readonly string[] = ['servers/launcher', 'servers/store', 'shared/caches', 'shared/process'];

/**
 * Registers the unit tests below a folder in this process, but those of `except` and of {@link ownProcesses}. None of
 * them begins before all are loaded, so that loading does not disturb their timers.
 */
export function importTests(folder: string, except: readonly string[] = []): void {
  const left = [...except, ...ownProcesses].map((name) => `${name}/`);
  const files = globSync(`${folder}/**/*.test.ts`, { cwd: projectRoot })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !left.some((prefix) => file.startsWith(prefix)))
    .toSorted();
  describe(`unit tests of ${folder}`, async () => {
    for (const file of files) await import(pathToFileURL(join(projectRoot, file)).href);
  });
}
