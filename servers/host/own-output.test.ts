import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OwnOutput } from './own-output.ts';

describe('OwnOutput', () => {
  test('tells what was written on its streams after a position, and writes it all the same', () => {
    const written: unknown[] = [];
    const [first, second] = [0, 1].map((at) => ({
      write: (...given: readonly unknown[]) => written.push([at, ...given]) > 0,
    })) as [{ write(...given: readonly unknown[]): boolean }, { write(...given: readonly unknown[]): boolean }];
    const output = new OwnOutput([first, second]);
    first.write('before\n');
    const { position } = output;
    second.write(Buffer.from('an error\n'), 'utf8');
    first.write('more\n');
    assert.equal(output.after(position), 'an error\nmore\n');
    assert.deepEqual(written, [
      [0, 'before\n'],
      [1, Buffer.from('an error\n'), 'utf8'],
      [0, 'more\n'],
    ]);
  });

  test('keeps the last 64 KiB', () => {
    const stream = { write: (..._given: readonly unknown[]) => true };
    const output = new OwnOutput([stream]);
    for (let at = 0; at < 100; at++) stream.write('x'.repeat(1024));
    stream.write('the end');
    assert.equal(output.position, 100 * 1024 + 7);
    const kept = output.after(0);
    assert.deepEqual([kept.length, kept.endsWith('xthe end')], [64 * 1024, true]);
    assert.equal(output.after(output.position - 3), 'end');
  });
});
