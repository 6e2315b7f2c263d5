import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, after, test } from 'node:test';
import { watchFiles } from './watch-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'watch-files-'));
const path = join(folder, 'file');
after(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves at the next call of what it returns. */
function waiting(): { notify: () => void; next: () => Promise<void> } {
  let resolve = (): void => undefined;
  return { notify: () => resolve(), next: () => new Promise((done) => (resolve = done)) };
}

async function changes(step: () => void, waiter: { next: () => Promise<void> }): Promise<void> {
  const next = waiter.next();
  step();
  await next;
}

describe('watchFiles', () => {
  test('reports when a file is written, replaced, removed and created again', { timeout: 10_000 }, async () => {
    writeFileSync(path, 'one');
    const waiter = waiting();
    const close = watchFiles([path], waiter.notify);
    // The write of another file of the folder is told of, too, and nothing is lost by it.
    await changes(() => writeFileSync(path, 'two'), waiter);
    await changes(() => {
      writeFileSync(`${path}.tmp`, 'three');
      renameSync(`${path}.tmp`, path);
    }, waiter);
    await changes(() => rmSync(path), waiter);
    await changes(() => writeFileSync(path, 'four'), waiter);
    close();
  });

  test('follows a symbolic link that changes its target, as in volumes of Pods', { timeout: 10_000 }, async () => {
    for (const name of ['old', 'new']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'ca.crt'), name);
    }
    const mount = join(folder, 'mount');
    mkdirSync(mount);
    symlinkSync(join(folder, 'old'), join(mount, '..data'));
    symlinkSync(join('..data', 'ca.crt'), join(mount, 'ca.crt'));
    const waiter = waiting();
    const close = watchFiles([join(mount, 'ca.crt')], waiter.notify);
    await changes(() => {
      symlinkSync(join(folder, 'new'), join(mount, '..data_tmp'));
      renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
    }, waiter);
    await changes(() => writeFileSync(join(folder, 'new', 'ca.crt'), 'newer'), waiter);
    close();
  });
});
