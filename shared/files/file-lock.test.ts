import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { FileLock, lockHolder } from './file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'file-lock-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A process that holds a lock until it is killed. */
async function holder(path: string): Promise<{ pid: number; kill: () => Promise<unknown> }> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    globalThis.lock = new DatabaseSync(process.argv[1]);
    lock.exec('BEGIN EXCLUSIVE');
    console.log('held');
    setInterval(() => {}, 1e9);`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

describe('FileLock', () => {
  test('is held by one process, which is found, until that process is killed', async () => {
    const path = join(folder, 'a.lock');
    const { pid, kill } = await holder(path);
    assert.equal(FileLock.tryTake(path), undefined);
    assert.equal(FileLock.tryTake(path, 'shared'), undefined);
    assert.equal(lockHolder(path), process.platform === 'linux' ? pid : undefined);
    assert.equal(await FileLock.take(path, 50), undefined);
    const waiting = FileLock.take(path, 10_000);
    await kill();
    using lock = await waiting;
    assert.ok(lock);
  });

  test('is not held by a copy of its file', async () => {
    const [path, copy] = [join(folder, 'b.lock'), join(folder, 'copy.lock')];
    const { kill } = await holder(path);
    cpSync(path, copy);
    using lock = FileLock.tryTake(copy);
    assert.ok(lock);
    await kill();
  });

  test('is shared by many, and excludes an exclusive one', () => {
    const path = join(folder, 'c.lock');
    {
      using first = FileLock.tryTake(path, 'shared');
      using second = FileLock.tryTake(path, 'shared');
      assert.ok(first && second);
      assert.equal(FileLock.tryTake(path), undefined);
    }
    using exclusive = FileLock.tryTake(path);
    assert.ok(exclusive);
    assert.equal(FileLock.tryTake(path, 'shared'), undefined);
  });
});
