import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PartialFile } from './partial-file.ts';

async function inFolder(work: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'partial-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('PartialFile', () => {
  test('removes only the partial files that a dead process left under the same name', () =>
    inFolder(async (folder) => {
      const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
      await once(gone, 'exit');
      mkdirSync(join(folder, `a.db.${gone.pid}.part`));
      for (const name of [
        `a.db.${gone.pid}.part-journal`,
        `a.db.${process.ppid}.part`,
        `b.db.${gone.pid}.part`,
        'a.db',
        `a.db.${process.pid}.part`,
      ])
        writeFileSync(join(folder, name), '');
      using partial = new PartialFile(join(folder, 'a.db'));
      assert.deepEqual(
        readdirSync(folder).toSorted(),
        ['a.db', `a.db.${process.ppid}.part`, `b.db.${gone.pid}.part`].toSorted(),
      );
      assert.equal(partial.path, join(folder, `a.db.${process.pid}.part`));
    }));

  test('is removed by a signal that ends the process', () =>
    inFolder(async (folder) => {
      const program = `
    const { PartialFile } = await import(${JSON.stringify(new URL('partial-file.ts', import.meta.url).href)});
    const partial = new PartialFile(process.argv[1]);
    (await import('node:fs')).writeFileSync(partial.path, '');
    process.stdout.write('made');
    setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, join(folder, 'a.db')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      assert.equal(readdirSync(folder).length, 1);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
      assert.deepEqual(readdirSync(folder), []);
    }));
});
