import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { openPublicSocket } from './public-socket.ts';

const host = '127.0.0.1';
/** Accepts from the socket that it gets, and answers each connection with a byte. */
const acceptor = `require('net').createServer((socket) => socket.end('x')).listen({ fd: 3 })`;

/** Only where the system has none does the launcher keep no socket (the Node.js of package.json has `node:ffi`). */
function assertNoDup3(): void {
  assert.notEqual(process.platform, 'linux');
}

async function dialed(port: number): Promise<Socket> {
  const socket = connect(port, host);
  await once(socket, 'connect');
  return socket;
}

function accept(fd: number): ChildProcess {
  return spawn(process.execPath, ['-e', acceptor], { stdio: ['ignore', 'inherit', 'inherit', fd] });
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('openPublicSocket', () => {
  test('refuses no dial before and between the processes that accept, until all have closed it', async () => {
    const socket = await openPublicSocket({ host, port: 0 });
    if (socket === undefined) return assertNoDup3();
    const { port } = socket;
    for (let round = 0; round < 2; round++) {
      const early = await dialed(port);
      const child = accept(socket.fd);
      const [answer] = (await once(early, 'data')) as [Buffer];
      assert.equal(answer.toString(), 'x');
      await killed(child);
    }
    socket.close();
    await assert.rejects(dialed(port), { code: 'ECONNREFUSED' });
  });

  test('is not inherited by processes that are not given it', async () => {
    const socket = await openPublicSocket({ host, port: 0 });
    if (socket === undefined) return assertNoDup3();
    const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(other, 'spawn');
    socket.close();
    await assert.rejects(dialed(socket.port), { code: 'ECONNREFUSED' });
    await killed(other);
  });
});
