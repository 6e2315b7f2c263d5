import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { frameHeadBytes, writeFrameHead } from '#shared/frames/frame-head.ts';
import { FrameParser } from '#shared/frames/frame-parser.ts';
import { callFrameFlag } from './call-frames.ts';
import { serveFrames } from './frame-server.ts';
import { FrameTransport } from './frame-transport.ts';
import type { EtcdService, ServerStream } from './service.ts';
import { EtcdRpcError, grpcCode } from './transport.ts';
import type { WatchResponse } from './watch-messages.ts';

const never = new Promise<never>(() => {});

/** Answers Range with the key as value, fails Put, never answers DeleteRange, echoes watch creations. */
const echo: EtcdService = {
  unary: (async (method: string, request: { key: Buffer }) => {
    if (method === 'KV/Range') return { kvs: [{ key: request.key, value: request.key }], count: 1 };
    if (method === 'KV/DeleteRange') return never;
    if (method === 'Lease/LeaseLeases') return {};
    throw new EtcdRpcError(grpcCode.outOfRange, 'etcdserver: nö');
  }) as EtcdService['unary'],
  stream: (_method: string, stream: ServerStream<'Watch/Watch'>) => ({
    onMessage: (request: { createRequest?: { watchId: number } }) =>
      stream.send({ watchId: request.createRequest?.watchId, created: true }),
    onHalfClose: () => stream.end(),
    onClose: () => {},
    onDrain: () => {},
  }),
};

async function listen(
  t: TestContext,
): Promise<{ socketPath: string; transport: FrameTransport; sockets: Set<Socket>; server: Server }> {
  const folder = mkdtempSync(join(tmpdir(), 'frames-'));
  const socketPath = join(folder, 's');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serveFrames(socket, echo);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const transport = new FrameTransport({ socketPath });
  t.after(async () => {
    await transport.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return { socketPath, transport, sockets, server };
}

describe('FrameTransport', () => {
  test('fails only the call whose response cannot be decoded', async (t) => {
    const { socketPath, transport, server } = await listen(t);
    assert.ok(socketPath);
    // Each answer is a field of wire type 7, which there is not.
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      const answerTo = (callId: number, method: number): void => {
        const frame = Buffer.concat([Buffer.alloc(frameHeadBytes), Buffer.from([0x0f])]);
        socket.write(writeFrameHead(frame, callId, method, callFrameFlag.end));
      };
      const parser = new FrameParser({ onFrame: (callId, method) => answerTo(callId, method) });
      socket.on('data', (chunk: Buffer) => parser.push(chunk));
      t.after(() => socket.destroy());
    });
    for (let round = 0; round < 2; round++) {
      await assert.rejects(transport.unary('KV/Range', { key: Buffer.from('a') }), (error: EtcdRpcError) => {
        assert.equal(error.code, grpcCode.internal);
        return error.message.startsWith('failed to read the answer of the store');
      });
    }
  });

  test('matches the responses of 1,000 concurrent calls', async (t) => {
    const { transport } = await listen(t);
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => transport.unary('KV/Range', { key: Buffer.from(`key-${i}`) })),
    );
    answers.forEach((answer, i) => assert.equal(answer.kvs[0]?.value.toString(), `key-${i}`));
  });

  test('reads a response of several chunks', async (t) => {
    const { transport } = await listen(t);
    const key = Buffer.alloc(1024 * 1024, 'x');
    const answer = await transport.unary('KV/Range', { key });
    assert.ok(answer.kvs[0]?.value.equals(key));
  });

  test('rejects a call above the size limit without sending it, and keeps the connection', async (t) => {
    const { transport, sockets } = await listen(t);
    const other = transport.unary('KV/DeleteRange', { key: Buffer.from('a') });
    const value = Buffer.alloc(2 * 1024 * 1024);
    const message =
      'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2097160 vs. 2097152)';
    await assert.rejects(transport.unary('KV/Put', { key: Buffer.from('a'), value }), {
      code: grpcCode.resourceExhausted,
      message,
      notSent: true,
    });
    await transport.unary('KV/Range', { key: Buffer.alloc(1024 * 1024) });
    assert.equal(sockets.size, 1);
    void other.catch(() => {});
  });

  test('accepts an empty response', async (t) => {
    const { transport } = await listen(t);
    assert.deepEqual(await transport.unary('Lease/LeaseLeases', {}), { header: undefined, leases: [] });
  });

  test("passes on an error's code and text", async (t) => {
    const { transport } = await listen(t);
    await assert.rejects(transport.unary('KV/Put', { key: Buffer.from('a') }), {
      name: 'EtcdRpcError',
      code: grpcCode.outOfRange,
      message: 'etcdserver: nö',
    });
  });

  test('ends a call without response at its deadline', async (t) => {
    const { transport } = await listen(t);
    await assert.rejects(transport.unary('KV/DeleteRange', { key: Buffer.from('a') }, { deadlineMs: 1 }), {
      code: grpcCode.deadlineExceeded,
    });
  });

  test('carries messages of a stream both ways and ends it in order', async (t) => {
    const { transport } = await listen(t);
    const ids: number[] = [];
    const error = await new Promise<EtcdRpcError | undefined>((resolve) => {
      const stream = transport.stream('Watch/Watch', {
        onMessage: (message: WatchResponse) => {
          ids.push(message.watchId);
          if (ids.length === 3) stream.end();
        },
        onEnd: resolve,
      });
      for (const watchId of [1, 2, 3]) stream.write({ createRequest: { key: Buffer.from('k'), watchId } });
    });
    assert.deepEqual(ids, [1, 2, 3]);
    assert.equal(error, undefined);
  });

  test('fails calls in flight when the connection is lost, and reconnects for the next call', async (t) => {
    const { transport, sockets } = await listen(t);
    const lost = transport.unary('KV/DeleteRange', { key: Buffer.from('a') });
    await transport.unary('KV/Range', { key: Buffer.from('a') });
    for (const socket of sockets) socket.destroy();
    await assert.rejects(lost, { code: grpcCode.unavailable, notSent: false });
    assert.equal((await transport.unary('KV/Range', { key: Buffer.from('b') })).count, 1);
  });

  test('fails a call as not sent when the server does not listen', async () => {
    const transport = new FrameTransport({ socketPath: join(tmpdir(), 'nobody-listens-here') });
    await assert.rejects(transport.unary('KV/Range', { key: Buffer.from('a') }), {
      code: grpcCode.unavailable,
      notSent: true,
    });
    await transport.close();
  });

  test('does not send a call whose deadline passed before a connection was there', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'frames-'));
    const transport = new FrameTransport({ socketPath: join(folder, 's') });
    const received: string[] = [];
    const service: EtcdService = {
      ...echo,
      unary: (async (method: string) => (received.push(method), {})) as EtcdService['unary'],
    };
    const server = createServer((socket) => serveFrames(socket, service));
    t.after(async () => {
      await transport.close();
      server.close();
      rmSync(folder, { recursive: true });
    });
    // Pauses between attempts to connect grow: 0, 20, 40, 80, then 160 ms, in which a short deadline passes.
    for (let i = 0; i < 4; i++)
      await assert.rejects(transport.unary('KV/Range', { key: Buffer.from('a') }), { notSent: true });
    const expired = transport.unary('KV/Put', { key: Buffer.from('a') }, { deadlineMs: 1 });
    const patient = transport.unary('KV/Range', { key: Buffer.from('a') });
    await assert.rejects(expired, { code: grpcCode.deadlineExceeded, notSent: true });
    await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve));
    await patient;
    assert.deepEqual(received, ['KV/Range']);
  });
});
