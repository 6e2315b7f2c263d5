import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import {
  dialClosed,
  dialFailure,
  startGrpcProxy,
  type GrpcProxy,
  type Misbehave,
} from '#shared/egress/testing/grpc-proxy.ts';
import { grpcDial } from './grpc-dial.ts';

const folder = mkdtempSync(join(tmpdir(), 'egress-'));
const cleanups: (() => void)[] = [];
after(() => {
  for (const cleanup of cleanups.toReversed()) cleanup();
  rmSync(folder, { recursive: true, force: true });
});

async function target(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer(serve);
  cleanups.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let serial = 0;
async function proxy(misbehave?: Misbehave): Promise<GrpcProxy & { readonly path: string }> {
  const path = join(folder, `${serial++}.sock`);
  const started = await startGrpcProxy(path, misbehave);
  cleanups.push(() => started.close());
  return { ...started, path };
}

// The protocol: konnectivity-client/proto/client/client.proto; the texts: pkg/client/client.go beside it.
describe('connections through a gRPC proxy', () => {
  test('carry bytes in both directions, however many at once', async () => {
    const address = await target((socket) => void socket.pipe(socket));
    const { path, dialed } = await proxy();
    const socket = await grpcDial(path)(address);
    assert.deepEqual(dialed, [address]);
    const sent = Buffer.alloc(3_000_000, 'abcdefg');
    const received: Buffer[] = [];
    let length = 0;
    socket.on('data', (piece: Buffer) => {
      received.push(piece);
      if ((length += piece.length) === sent.length) socket.destroy();
    });
    socket.write(sent);
    await once(socket, 'close');
    assert.ok(Buffer.concat(received).equals(sent));
  });

  test('deliver what the target sends before it is spoken to, and its end', async () => {
    const address = await target((socket) => socket.end('hello'));
    const { path } = await proxy();
    assert.equal(await text(await grpcDial(path)(address)), 'hello');
  });

  test('end at the target when the client ends them', async () => {
    const closed = Promise.withResolvers<void>();
    const address = await target((socket) => socket.once('close', () => closed.resolve()).resume());
    const { path } = await proxy();
    const socket = await grpcDial(path)(address);
    socket.resume().end();
    await Promise.all([closed.promise, once(socket, 'close')]);
  });

  test('are refused in the words of the proxy, or of its client', async () => {
    const cases: (readonly [Misbehave, string])[] = [
      [(stream, random) => stream.write(dialFailure(random, 'no agent available')) || true, 'no agent available'],
      [(stream, random) => stream.write(dialClosed(random)) || true, 'dial closed'],
      [(stream) => stream.end() !== undefined, 'tunnel closed'],
      [(stream, random) => stream.write(dialFailure(random + 1n, 'of another')) || true, 'tunnel closed'],
      [(stream) => stream.write(Buffer.from([0, 0xff, 0, 0, 0])) || true, 'tunnel closed'],
    ];
    for (const [misbehave, message] of cases) {
      const { path } = await proxy(misbehave);
      await assert.rejects(grpcDial(path)('10.0.0.1:80'), { name: 'EgressError', stage: 'proxy', message });
    }
  });

  test('are given up with their caller', async () => {
    const { path } = await proxy(() => true);
    const caller = new AbortController();
    const attempt = grpcDial(path)('10.0.0.1:80', caller.signal);
    setImmediate(() => caller.abort());
    await assert.rejects(attempt, /^EgressError: (?:dial timeout, context|context deadline exceeded: )/);
  });
});
