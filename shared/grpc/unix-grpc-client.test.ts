import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, createServer, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { messageType, string } from '#shared/storage/etcd-wire/message-type.ts';
import { GrpcServer, type AnswerCall } from './testing/grpc-server.ts';
import { UnixGrpcClient, type GrpcMethod } from './unix-grpc-client.ts';

interface Text {
  readonly text: string;
}

const message = messageType<Text>('Text', () => ({ text: '' }), { text: [1, string] });
const method: GrpcMethod<Text, Text> = { path: '/test.Texts/Say', request: message, answer: message };
const dialing =
  'rpc error: code = DeadlineExceeded desc = latest balancer error: connection error: desc = "transport: Error while dialing: dial unix';

function pairOf(context: TestContext, answer: AnswerCall): { server: GrpcServer; client: UnixGrpcClient } {
  const server = new GrpcServer(answer);
  const client = new UnixGrpcClient({ endpoint: server.socket });
  context.after(async () => {
    client.close();
    await server.close();
  });
  return { server, client };
}

describe('UnixGrpcClient', () => {
  test('says why nobody was reached in the time of a call', async (context) => {
    const { server, client } = pairOf(context, (_path, bytes) => bytes);
    await assert.rejects(client.call(method, { text: 'a' }, 150), {
      message: `${dialing} ${server.socket}: connect: no such file or directory"`,
      code: 'DeadlineExceeded',
    });
  });

  test('fails a call whose server is killed, and answers the next one after its start', async (context) => {
    const asked = Promise.withResolvers<void>();
    let answers = false;
    const { server, client } = pairOf(context, (_path, bytes) => {
      asked.resolve();
      return answers ? bytes : undefined;
    });
    await server.open();
    const call = client.call(method, { text: 'a' }, 10_000);
    const failed = assert.rejects(call, { code: 'Unavailable' });
    await asked.promise;
    await server.kill();
    await failed;
    answers = true;
    const next = client.call(method, { text: 'b' }, 10_000);
    await server.open();
    assert.equal((await next).text, 'b');
  });

  test('names the host of a socket without a port, as grpc-go does', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'grpc-'));
    const socket = join(folder, 'socket');
    const server = createServer();
    const client = new UnixGrpcClient({ endpoint: socket });
    context.after(() => {
      client.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const named = new Promise<unknown>((resolve) => {
      server.on('stream', (stream: ServerHttp2Stream, headers) => {
        resolve(headers[':authority']);
        stream.on('error', () => undefined);
        stream.close(constants.NGHTTP2_CANCEL);
      });
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    await assert.rejects(client.call(method, { text: 'a' }, 10_000));
    assert.equal(await named, 'localhost');
  });

  test('takes a stream that the server cancels at the deadline as late, and an earlier one as cancelled', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'grpc-'));
    const socket = join(folder, 'socket');
    const isHeld = { now: false };
    const server = createServer().on('stream', (stream: ServerHttp2Stream) => {
      if (!isHeld.now) return stream.close(constants.NGHTTP2_CANCEL);
      // Holds the client's timer back, so that it sees the end of the stream first.
      stream.close(constants.NGHTTP2_CANCEL);
      const untilMs = performance.now() + 80;
      while (performance.now() < untilMs);
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const client = new UnixGrpcClient({ endpoint: socket });
    context.after(() => {
      client.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await assert.rejects(client.call(method, { text: 'a' }, 10_000), {
      message: 'rpc error: code = Canceled desc = stream terminated by RST_STREAM with error code: CANCEL',
    });
    isHeld.now = true;
    await assert.rejects(client.call(method, { text: 'a' }, 40), { code: 'DeadlineExceeded' });
  });

  test('ends a call at its time', async (context) => {
    const { server, client } = pairOf(context, () => undefined);
    await server.open();
    await assert.rejects(client.call(method, { text: 'a' }, 100), {
      message: 'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    });
  });
});
