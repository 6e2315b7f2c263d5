import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { allocatorTrim } from './allocator-trim.ts';

const mebibyte = 1024 * 1024;
const program = `
  const { allocatorTrim } = await import(${JSON.stringify(join(import.meta.dirname, 'allocator-trim.ts'))});
  const trim = allocatorTrim();
  // Small buffers that stay among large ones that are freed: free memory that the allocator keeps.
  let large = [];
  const small = [];
  for (let count = 0; count < 20_000; count++) {
    large.push(Buffer.allocUnsafeSlow(4_000).fill(1));
    if (count % 50 === 0) small.push(Buffer.allocUnsafeSlow(100));
  }
  large = undefined;
  gc();
  // Buffers are freed beside other work.
  while (process.memoryUsage().arrayBuffers > 10 * 1024 * 1024) await new Promise(setImmediate);
  const before = process.memoryUsage.rss();
  trim?.();
  console.log(before - process.memoryUsage.rss());
`;

/** Whether Node.js runs on glibc, which has `malloc_trim`; musl has not. */
function isOnGlibc(): boolean {
  const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

describe('malloc_trim', () => {
  test('is found wherever Node.js runs on glibc', () => {
    assert.equal(allocatorTrim() !== undefined, isOnGlibc());
  });

  test('returns free memory between pieces in use, and warns of nothing under the flags of servers', (context) => {
    if (!isOnGlibc()) return context.diagnostic('this C library has no malloc_trim');
    const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
    const args = [...flags, '--import', 'tsx', '--input-type=module', '--eval', program];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.ok(Number(stdout) > 40 * mebibyte, stdout);
  });
});
