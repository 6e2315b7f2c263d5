import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { debugSocketOf, openDebugSocket } from './debug-socket.ts';

test('debugSocketOf: the socket of a process is never taken', () => {
  assert.equal(debugSocketOf('/run/core-2.sock'), '/run/core-2.dbg');
  assert.equal(debugSocketOf('/run/socket'), '/run/socket.dbg');
  assert.equal(debugSocketOf('/a.sock/b'), '/a.sock/b.dbg');
});

test('openDebugSocket: answers 400 to a target that is no URL, and reports a path that it cannot take', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'debug-socket-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const taken = Promise.withResolvers<Error>();
  openDebugSocket(folder, async () => undefined, taken.resolve);
  assert.ok((await taken.promise) instanceof Error);
  const path = join(folder, 'a.dbg');
  openDebugSocket(
    path,
    async () => undefined,
    (error) => assert.fail(error),
  );
  await new Promise(setImmediate);
  const client = connect(path);
  await once(client, 'connect');
  client.write('GET // HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  assert.match(await text(client), /^HTTP\/1\.1 400 /);
});
