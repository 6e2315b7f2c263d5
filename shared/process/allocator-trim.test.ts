import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { allocatorTrim } from './allocator-trim.ts';

const mebibyte = 1024 * 1024;
const program = `
  const { allocatorTrim } = await import(${JSON.stringify(join(import.meta.dirname, 'allocator-trim.ts'))});
  const trim = allocatorTrim();
  // Small ones that stay among large ones that go: free memory that the allocator keeps.
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

test('freed memory between pieces in use is given back, and nothing is printed of how', (context) => {
  if (allocatorTrim() === undefined) return context.diagnostic('this C library or release of Node cannot');
  const args = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.ok(Number(stdout) > 40 * mebibyte, stdout);
});
