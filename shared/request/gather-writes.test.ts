import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { gatherWrites } from './gather-writes.ts';

/** A connection that notes what each system call would write. */
function noting(): { readonly connection: Duplex; readonly calls: string[] } {
  const calls: string[] = [];
  const connection = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      calls.push(String(chunk));
      done();
    },
    writev: (chunks, done) => {
      calls.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  return { connection, calls };
}

function write(connection: Duplex, text: string): void {
  gatherWrites(connection);
  connection.write(text);
}

describe('gatherWrites', () => {
  test('makes one system call of all writes of an event loop turn', async () => {
    const { connection, calls } = noting();
    for (const text of ['a', 'b', 'c']) write(connection, text);
    assert.deepEqual(calls, []);
    await turn();
    assert.deepEqual(calls, ['abc']);
  });

  test('gathers a stream of small pieces over several turns without losing a byte', async () => {
    const { connection, calls } = noting();
    let sent = '';
    for (let at = 0; at < 2000; at++) {
      write(connection, `${at} `);
      sent += `${at} `;
      await turn();
    }
    await pause(20);
    assert.equal(calls.join(''), sent);
    assert.ok(calls.length < 1000, `${calls.length} calls`);
  });

  test('loses no byte of a stream of large pieces', async () => {
    const { connection, calls } = noting();
    const large = 'x'.repeat(40_000);
    for (let at = 0; at < 100; at++) {
      write(connection, large);
      await turn();
      await turn();
    }
    await pause(20);
    assert.equal(calls.join('').length, 100 * large.length);
  });

  test('writes a piece in its own turn after a pause, whatever stream came before', async () => {
    const { connection, calls } = noting();
    for (let at = 0; at < 200; at++) {
      write(connection, 'x');
      await turn();
    }
    // A while with a single piece in it ends the stream.
    await pause(20);
    write(connection, 'first');
    await pause(20);
    calls.length = 0;
    write(connection, 'second');
    await turn();
    assert.deepEqual(calls, ['second']);
  });

  test('writes at once what waits when the connection ends', async () => {
    const { connection, calls } = noting();
    for (let at = 0; at < 200; at++) {
      write(connection, 'x');
      await turn();
    }
    write(connection, 'last');
    connection.end();
    await turn();
    assert.equal(calls.join('').length, 204);
  });
});
