import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { watchFiles } from './watch-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'watch-files-'));
const path = join(folder, 'file');
after(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves at the next call of what it returns. */
function waiting(): { told: () => void; next: () => Promise<void> } {
  let resolve = (): void => undefined;
  return { told: () => resolve(), next: () => new Promise((done) => (resolve = done)) };
}

async function changes(step: () => void, told: { next: () => Promise<void> }): Promise<void> {
  const next = told.next();
  step();
  await next;
}

test('a file that is written, replaced, removed and made again is told of', { timeout: 10_000 }, async () => {
  writeFileSync(path, 'one');
  const told = waiting();
  const close = watchFiles([path], told.told);
  // The write of another file of the folder is told of, too, and nothing is lost by it.
  await changes(() => writeFileSync(path, 'two'), told);
  await changes(() => {
    writeFileSync(`${path}.tmp`, 'three');
    renameSync(`${path}.tmp`, path);
  }, told);
  await changes(() => rmSync(path), told);
  await changes(() => writeFileSync(path, 'four'), told);
  close();
});

test('a link that leads elsewhere is followed, as in the volumes of pods', { timeout: 10_000 }, async () => {
  for (const name of ['old', 'new']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'ca.crt'), name);
  }
  const mount = join(folder, 'mount');
  mkdirSync(mount);
  symlinkSync(join(folder, 'old'), join(mount, '..data'));
  symlinkSync(join('..data', 'ca.crt'), join(mount, 'ca.crt'));
  const told = waiting();
  const close = watchFiles([join(mount, 'ca.crt')], told.told);
  await changes(() => {
    symlinkSync(join(folder, 'new'), join(mount, '..data_tmp'));
    renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
  }, told);
  await changes(() => writeFileSync(join(folder, 'new', 'ca.crt'), 'newer'), told);
  close();
});
