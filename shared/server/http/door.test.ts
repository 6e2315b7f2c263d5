import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { Door } from './door.ts';

const host = '127.0.0.1';
/** Milliseconds in which a door tries twelve times and more: Node.js warns of the eleventh listener for one event. */
const triesOfTwelve = 400;

/** Sends a byte for each connection that is served. */
function greet(socket: Socket): void {
  socket.on('error', () => undefined).end('x');
}

async function dialed(port: number): Promise<Socket> {
  const socket = connect(port, host);
  await once(socket, 'connect');
  return socket;
}

describe('Door', () => {
  test('holds connections that come before it serves, and passes them on then', async () => {
    const door = new Door({ host, port: 0 });
    await door.open();
    const early = await dialed(door.port);
    let heard = false;
    early.on('data', () => (heard = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(heard, false);
    await door.serve(greet);
    await once(early, 'close');
    assert.equal(heard, true);
    const [answer] = (await once(await dialed(door.port), 'data')) as [Buffer];
    assert.equal(answer.toString(), 'x');
    door.close();
  });

  test('ends the connections that wait when it is closed', async () => {
    const door = new Door({ host, port: 0 });
    await door.open();
    const early = await dialed(door.port);
    const ended = once(early.resume(), 'close');
    // The connection has to be held first: one that waits in the kernel is reset instead.
    await new Promise((resolve) => setTimeout(resolve, 20));
    door.close();
    await ended;
    await assert.rejects(dialed(door.port), { code: 'ECONNREFUSED' });
  });

  test('waits for a port that its last process is about to leave', async () => {
    const old = new Door({ host, port: 0 });
    await old.open();
    const { port } = old;
    const next = new Door({ host, port });
    const opened = next.open();
    old.close();
    await opened;
    assert.equal(next.port, port);
    next.close();
  });

  test('tries a port again and again without a warning', async (t) => {
    const other = new Door({ host, port: 0 });
    await other.open();
    const warnings: string[] = [];
    const note = ({ name }: Error): unknown => warnings.push(name);
    process.on('warning', note);
    const door = new Door({ host, port: other.port });
    t.after(() => door.close());
    const opened = door.open();
    await new Promise((resolve) => setTimeout(resolve, triesOfTwelve));
    other.close();
    await opened;
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });

  test('names the flag that avoids an address that cannot be used', async () => {
    const door = new Door({ host: '203.0.113.7', port: 6443 });
    await assert.rejects(
      door.open(),
      new Error('203.0.113.7:6443 is no address of this machine: give one that is with --bind-address'),
    );
  });

  test('names --secure-port when a port stays in use', async (t) => {
    const other = new Door({ host, port: 0 });
    await other.open();
    t.mock.method(performance, 'now', () => Date.now() * 1_000);
    const { port } = other;
    await assert.rejects(
      new Door({ host, port }).open(),
      new Error(
        `127.0.0.1:${port} is in use: end the process that listens there, or give another port with --secure-port`,
      ),
    );
    other.close();
  });
});
