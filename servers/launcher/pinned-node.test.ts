import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { findPinnedNode, isOldNode } from './pinned-node.ts';

describe('pinned Node.js', () => {
  test('treats versions below the pinned major as old', () => {
    assert.deepEqual(['20.20.2', '23.11.0', '24.0.0', '26.10.0', '100.1.0'].map(isOldNode), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('is found from the location of the program', () => {
    assert.ok(findPinnedNode(import.meta.url)?.includes(join('node', 'bin')));
    assert.equal(findPinnedNode(join(tmpdir(), 'elsewhere.js')), undefined);
  });

  test('is found by old versions because main.ts imports no newer module by name', () => {
    const source = readFileSync(new URL('main.ts', import.meta.url), 'utf8');
    assert.doesNotMatch(source, /import \{[^}]*enableCompileCache/);
  });

  /** Hands over to a program with the given text. */
  function handOver(t: TestContext, program: string) {
    const folder = mkdtempSync(join(tmpdir(), 'pinned-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const entry = join(folder, 'program.mjs');
    writeFileSync(entry, program);
    const module = new URL('pinned-node.ts', import.meta.url).href;
    const text = `import { rerunWithNode } from ${JSON.stringify(module)}; rerunWithNode(process.execPath, [${JSON.stringify(entry)}]);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8');
    return child;
  }

  test('forwards signals to the program and returns its exit code', async (t) => {
    const child = handOver(
      t,
      `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('running');`,
    );
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [7, null]);
  });

  test('ends with the signal that killed the program', async (t) => {
    const child = handOver(t, `process.kill(process.pid, 'SIGKILL');`);
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  });
});
