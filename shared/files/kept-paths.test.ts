import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { KeptPaths, type KeptPath } from './kept-paths.ts';

/** A folder with a file, whose loss is told as `next` line. */
function keep(t: TestContext, kept: (folder: string) => readonly KeptPath[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kept-'));
  writeFileSync(join(folder, 'file'), '');
  const lines: string[] = [];
  let wake: () => void = () => undefined;
  const paths = new KeptPaths({
    paths: kept(folder),
    tell: (line) => {
      lines.push(line.replaceAll(folder, 'D'));
      wake();
    },
    everyMs: 1,
  });
  t.after(() => {
    paths.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const next = async (): Promise<string> => {
    // The checks alone would not keep the process alive.
    const alive = setInterval(() => undefined, 1_000);
    while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    clearInterval(alive);
    return lines.shift() ?? '';
  };
  return { folder, paths, next };
}

const file = (folder: string, more: Partial<KeptPath> = {}): KeptPath => ({
  path: join(folder, 'file'),
  remedy: 'do something',
  ...more,
});

describe('KeptPaths', () => {
  test('tells that a file was removed, and that it is back', async (t) => {
    const { folder, paths, next } = keep(t, (at) => [file(at)]);
    assert.deepEqual(paths.faults, []);
    renameSync(join(folder, 'file'), join(folder, 'away'));
    assert.equal(await next(), 'D/file was removed below the running servers: do something');
    assert.equal(paths.faults.length, 1);
    renameSync(join(folder, 'away'), join(folder, 'file'));
    assert.equal(await next(), 'D/file is back');
    assert.deepEqual(paths.faults, []);
  });

  test('tells that another file took its place, unless it may', async (t) => {
    const { folder, next } = keep(t, (at) => [
      file(at, { mayBeReplaced: true, remedy: 'nothing' }),
      { path: join(at, 'other'), remedy: 'do something' },
    ]);
    writeFileSync(join(folder, 'other'), '');
    // It counts from the time when it is first seen.
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const name of ['file', 'other']) {
      writeFileSync(join(folder, 'new'), '');
      renameSync(join(folder, 'new'), join(folder, name));
    }
    assert.equal(await next(), 'D/other was replaced below the running servers: do something');
  });

  test('tells of the outermost loss only', async (t) => {
    const { folder, paths, next } = keep(t, (at) => {
      mkdirSync(join(at, 'in'));
      writeFileSync(join(at, 'in', 'file'), '');
      return [
        { path: join(at, 'in'), remedy: 'outer' },
        { path: join(at, 'in', 'file'), remedy: 'inner' },
      ];
    });
    rmSync(join(folder, 'in'), { recursive: true });
    // The check may come between the removals of both.
    while (!(await next()).includes('outer'));
    assert.equal(paths.faults.length, 1);
  });
});
