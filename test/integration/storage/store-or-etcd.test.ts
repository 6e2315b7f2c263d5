import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { put } from '#servers/store/testing/contract-context.ts';
import { temporaryStore } from '#servers/store/testing/temporary-store.ts';
import { isOnThisMachine, StoreOrEtcdTransport } from '#shared/storage/create/store-or-etcd-transport.ts';
import { grpcCode, type EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import type { WatchResponse } from '#shared/storage/etcd-wire/watch-messages.ts';
import { freePort } from '#test/free-port.ts';

/** Says that it was asked, and nothing else. */
function grpcThatTells(asked: string[]): EtcdTransport {
  return {
    unary: (method) => {
      asked.push(method);
      return Promise.reject(new Error('by gRPC'));
    },
    stream: (method) => {
      asked.push(method);
      return { write: () => undefined, end: () => undefined, cancel: () => undefined };
    },
    close: () => Promise.resolve(),
  };
}

/** Answers plain HTTP as an etcd does. */
async function etcdAt(port: number): Promise<Server> {
  const server = createServer((_request, response) => response.writeHead(404).end('404 page not found\n'));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('StoreOrEtcdTransport', () => {
  test('speaks frames with a store of this project, for calls and streams', async () => {
    await using store = await temporaryStore({ listenClientUrls: ['http://127.0.0.1:0'] });
    const asked: string[] = [];
    const transport = new StoreOrEtcdTransport(store.store.clientUrls[0] as string, grpcThatTells(asked));
    const seen = Promise.withResolvers<WatchResponse>();
    const stream = transport.stream('Watch/Watch', {
      onMessage: (message) => message.events.length > 0 && seen.resolve(message),
      onEnd: (error) => seen.reject(error ?? new Error('ended')),
    });
    stream.write({ createRequest: { key: Buffer.from('a'), startRevision: 1 } });
    assert.equal(await put(transport, 'a', '1'), 2);
    assert.equal((await seen.promise).events[0]?.kv?.value.toString(), '1');
    stream.cancel();
    await transport.close();
    assert.deepEqual(asked, []);
  });

  test('speaks gRPC with an etcd', async () => {
    const server = await etcdAt(0);
    const asked: string[] = [];
    const transport = new StoreOrEtcdTransport(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      grpcThatTells(asked),
    );
    await assert.rejects(transport.unary('KV/Range', { key: Buffer.from('a') }), /by gRPC/);
    transport.stream('Watch/Watch', { onMessage: () => undefined, onEnd: () => undefined });
    assert.deepEqual(asked, ['KV/Range', 'Watch/Watch']);
    await transport.close();
    server.close();
  });

  test("detects a server that starts later, and one that takes the other's place", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const asked: string[] = [];
    const transport = new StoreOrEtcdTransport(url, grpcThatTells(asked));
    await assert.rejects(put(transport, 'a', '1'), { code: grpcCode.unavailable, notSent: true });
    {
      await using _store = await temporaryStore({ listenClientUrls: [url] });
      assert.equal(await put(transport, 'a', '1'), 2);
    }
    const server = await etcdAt(port);
    const untilGrpc = async (): Promise<string> => {
      for (;;) {
        const text = await put(transport, 'a', '1').then(() => 'answered', String);
        if (!text.includes('EtcdRpcError')) return text;
      }
    };
    assert.match(await untilGrpc(), /by gRPC/);
    await transport.close();
    server.close();
  });
});

describe('isOnThisMachine', () => {
  test('is true for plain HTTP on loopback only', () => {
    for (const url of ['http://127.0.0.1:2379', 'http://localhost:2379', 'http://[::1]:2379'])
      assert.ok(isOnThisMachine(url), url);
    for (const url of ['https://127.0.0.1:2379', 'http://etcd:2379', 'http://127.example:2379', 'http://10.0.0.1'])
      assert.ok(!isOnThisMachine(url), url);
  });
});
