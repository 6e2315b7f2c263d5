import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import { unaryMethods } from '#shared/storage/etcd-wire/method-table.ts';
import type { EtcdService } from '#shared/storage/etcd-wire/service.ts';
import { GrpcDeframer, grpcHeadBytes, writeGrpcHead } from './grpc-framing.ts';
import { GrpcServer } from './grpc-server.ts';

async function withServer(
  service: Partial<EtcdService>,
  work: (session: ClientHttp2Session) => Promise<void>,
): Promise<void> {
  const server = new GrpcServer(service as EtcdService, undefined);
  const port = await server.listen('127.0.0.1', 0);
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    await work(session);
  } finally {
    session.destroy();
    await server.close();
  }
}

function call(session: ClientHttp2Session, method: string): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/etcdserverpb.${method}`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  return stream.on('error', () => undefined);
}

const request = writeGrpcHead(
  encodeMessage<object>(unaryMethods['KV/Put'].request, { key: Buffer.from('k') }, grpcHeadBytes),
);

describe('gRPC server under attack', () => {
  test('does not run a unary call with a second message', async () => {
    let runs = 0;
    await withServer({ unary: () => Promise.resolve(runs++) } as unknown as Partial<EtcdService>, async (session) => {
      const stream = call(session, 'KV/Put');
      stream.end(Buffer.concat([request, Buffer.from([1, 0, 0, 0, 0])]));
      const [headers] = (await once(stream, 'response')) as [Record<string, string>];
      assert.equal(headers['grpc-status'], '12');
      stream.resume();
      await once(stream, 'close');
      await pause(20);
    });
    assert.equal(runs, 0);
  });

  test('stops reading requests from a client that reads no responses', async () => {
    const sent = 40;
    let answered = 0;
    const all = Promise.withResolvers<void>();
    const stream: EtcdService['stream'] = (_method, out) => ({
      onMessage: () => {
        if (++answered === sent * 10_000) all.resolve();
        out.send({ id: '1', ttl: 1 } as never);
      },
      onHalfClose: () => undefined,
      onClose: () => undefined,
      onDrain: () => undefined,
    });
    await withServer({ stream }, async (session) => {
      const asking = call(session, 'Lease/LeaseKeepAlive');
      const message = writeGrpcHead(Buffer.from([0, 0, 0, 0, 0, 8, 1]));
      const many = Buffer.concat(Array.from({ length: 10_000 }, () => message));
      for (let i = 0; i < sent; i++) asking.write(many);
      for (let before = -1; before !== answered; await pause(300)) before = answered;
      assert.ok(answered < (sent * 10_000) / 2, `${answered} were answered`);
      assert.ok(answered > 10_000, `${answered} were answered`);
      // What it asked for comes when it reads.
      asking.resume();
      await all.promise;
    });
  });

  test('assembles a message of 1 MiB from 8-byte chunks', () => {
    const body = Buffer.alloc(1024 * 1024, 7);
    const frame = writeGrpcHead(Buffer.concat([Buffer.alloc(grpcHeadBytes), body]));
    const deframer = new GrpcDeframer();
    const found: Buffer[] = [];
    for (let at = 0; at < frame.length; at += 8)
      deframer.push(frame.subarray(at, at + 8), (message) => found.push(message));
    assert.deepEqual(found, [body]);
  });
});
