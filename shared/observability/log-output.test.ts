import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import { openLogOutput, type OutputOptions, type OutputProcess, type WriteLine } from './log-output.ts';

/** A process that collects what it writes. */
class FakeProcess extends EventEmitter implements OutputProcess {
  readonly written = { out: [] as string[], err: [] as string[] };
  readonly stdout = { write: (text: string): unknown => this.written.out.push(text) };
  readonly stderr = { write: (text: string): unknown => this.written.err.push(text) };
}

function outputOf(options: Partial<OutputOptions>): { readonly own: FakeProcess; readonly write: WriteLine } {
  const own = new FakeProcess();
  const all = { splits: true, bufferBytes: 0, flushEveryMs: 1000, toStdout: new Set(['info'] as const), ...options };
  return { own, write: openLogOutput(all, own) };
}

describe('openLogOutput', () => {
  test('writes all to standard error, and by severity where the streams are split', () => {
    const [one, split] = [outputOf({ splits: false }), outputOf({})];
    for (const { write } of [one, split]) {
      write('a\n', 'info');
      write('b\n', 'warning');
      write('c\n', 'error');
    }
    assert.deepEqual(one.own.written, { out: [], err: ['a\n', 'b\n', 'c\n'] });
    assert.deepEqual(split.own.written, { out: ['a\n'], err: ['b\n', 'c\n'] });
  });

  test('keeps information back until the buffer is full, and passes longer lines through in order', () => {
    const { own, write } = outputOf({ bufferBytes: 6 });
    for (const line of ['a\n', 'b\n', 'c\n']) write(line, 'info');
    assert.deepEqual(own.written.out, []);
    write('d\n', 'info');
    assert.deepEqual(own.written.out, ['a\nb\nc\n']);
    write('longer\n', 'info');
    assert.deepEqual(own.written.out, ['a\nb\nc\n', 'd\n', 'longer\n']);
  });

  test('writes what was kept back after some time, and at the end of the process', (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const { own, write } = outputOf({ bufferBytes: 100 });
    write('a\n', 'info');
    context.mock.timers.tick(1000);
    assert.deepEqual(own.written.out, ['a\n']);
    write('b\n', 'info');
    own.emit('exit');
    assert.deepEqual(own.written.out, ['a\n', 'b\n']);
  });
});
