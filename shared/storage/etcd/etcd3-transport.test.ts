import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { runInSpan, runPassing, traceBy } from '#shared/spans/active-span.ts';
import { KeptSpan, untracedSource } from '#shared/spans/testing/kept-span.ts';
import { EtcdStorage } from '#shared/storage/etcd-storage/etcd-storage.ts';
import { Etcd3Transport } from './etcd3-transport.ts';

/** Answers each call with an empty message, and keeps its headers. */
let etcd: Http2Server;
let transport: Etcd3Transport;
let storage: EtcdStorage;
let told: IncomingHttpHeaders[] = [];

const toldOf = (): unknown[] => told.map(({ traceparent, tracestate }) => [traceparent, tracestate]);

describe('Etcd3Transport', () => {
  before(async () => {
    etcd = createServer().on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      told.push(headers);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.on('error', () => undefined).end(Buffer.alloc(5));
    });
    await once(etcd.listen(0, '127.0.0.1'), 'listening');
    transport = new Etcd3Transport({ endpoints: [`http://127.0.0.1:${(etcd.address() as AddressInfo).port}`] });
    storage = new EtcdStorage({ transport, prefix: '/registry', callTimeoutMs: 10_000, compactionIntervalMs: 0 });
    await storage.currentRevision();
    told = [];
  });
  afterEach(() => {
    traceBy(undefined);
    told = [];
  });
  after(async () => {
    await storage.close();
    etcd.close();
  });

  test('tells nothing of traces where there is none', async () => {
    await storage.get('/a');
    assert.deepEqual(toldOf(), [[undefined, undefined]]);
  });

  test('passes on what a client sent to a process that traces nothing', async () => {
    await runPassing({ traceparent: 'theirs', tracestate: 'a=b' }, () => storage.get('/a'));
    assert.deepEqual(toldOf(), [['theirs', 'a=b']]);
  });

  test('tells the span of the call, and what is not traced', async () => {
    traceBy(untracedSource);
    await runInSpan(new KeptSpan('request'), () => storage.get('/a'));
    await storage.get('/b');
    assert.deepEqual(toldOf(), [
      ['request/etcdserverpb.KV/Range', undefined],
      ['not sampled', undefined],
    ]);
  });

  test('tells of a read for several requests the first of those that are traced', async () => {
    traceBy(untracedSource);
    const [first, second] = [new KeptSpan('first'), new KeptSpan('second')];
    await Promise.all([
      runInSpan(first, () => storage.currentRevision()),
      storage.currentRevision(),
      runInSpan(second, () => storage.currentRevision()),
    ]);
    assert.deepEqual(toldOf(), [
      ['first/etcdserverpb.KV/Range', undefined],
      ['second/etcdserverpb.KV/Range', undefined],
    ]);
    assert.deepEqual([first.below.length, second.below.length], [1, 1], 'one span for each');
  });

  test('makes streams no part of the request that opens them', async () => {
    traceBy(untracedSource);
    const request = new KeptSpan('request');
    const ended = Promise.withResolvers<void>();
    runInSpan(request, () =>
      transport.stream('Watch/Watch', { onMessage: () => undefined, onEnd: () => ended.resolve() }),
    );
    await ended.promise;
    assert.deepEqual(toldOf(), [['not sampled', undefined]]);
    assert.equal(told[0]?.['hasleader'], 'true');
  });
});
