import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { createLogger } from '#shared/observability/logger.ts';
import { activeSpan, childSpan, runInSpan, runSpan, spanEvent, spanSource } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';
import { openTracing, type Tracing } from './open-tracing.ts';
import { TestCollector } from './testing/test-collector.ts';

const request = { auditId: 'a', protocol: 'HTTP/2.0' };
const logger = createLogger({ level: 0, format: 'text', write: () => undefined });

async function opened(
  context: TestContext,
  rate = 1_000_000,
  endpoint?: string,
): Promise<{ tracing: Tracing; collector: TestCollector }> {
  const folder = mkdtempSync(join(tmpdir(), 'tracing-'));
  const collector = new TestCollector();
  const file = join(folder, 'tracing.yaml');
  const text = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'TracingConfiguration' };
  writeFileSync(
    file,
    JSON.stringify({ ...text, endpoint: endpoint ?? collector.endpoint, samplingRatePerMillion: rate }),
  );
  const tracing = await openTracing({ file, instanceId: 'core-1', dial: undefined, logger });
  assert.ok(tracing);
  context.after(async () => {
    tracing.close();
    await collector.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { tracing, collector };
}

function begun(name: string): RequestSpan {
  const source = spanSource();
  assert.ok(source !== undefined && source.samples());
  return source.begin({ name, request });
}

function counted(tracing: Tracing): unknown[] {
  return tracing
    .metrics()
    .flatMap((family) => [...family.samples()].map(({ labels: [outcome], value }) => [outcome, value]));
}

describe('tracing', () => {
  test('without a file makes no span', async () => {
    assert.equal(await openTracing({ file: '', instanceId: '', dial: undefined, logger }), undefined);
    assert.equal(spanSource(), undefined);
    assert.equal(childSpan('a'), undefined);
  });

  test('sends the spans of a request with their parents, events and resource', async (context) => {
    const { tracing, collector } = await opened(context);
    await collector.open();
    const root = begun('GET /api');
    await runSpan(root, async () => {
      await Promise.resolve();
      const child = childSpan('Get', { key: '/a', size: 3 });
      assert.ok(child);
      await runSpan(child, () => spanEvent('done'));
    });
    await tracing.flush();
    const [get, first] = collector.spans;
    assert.ok(get !== undefined && first !== undefined);
    assert.deepEqual([get.name, first.name, first.parentId], ['Get', 'GET /api', '']);
    assert.deepEqual([get.parentId, get.traceId], [first.spanId, first.traceId]);
    assert.deepEqual(
      [...get.attributes],
      [
        ['key', '/a'],
        ['size', 3],
      ],
    );
    assert.deepEqual(get.events, ['done']);
    assert.deepEqual(
      [...get.resource],
      [
        ['service.name', 'apiserver'],
        ['service.instance.id', 'core-1'],
      ],
    );
  });

  test('joins the trace of another process, whose state and baggage go on to the next', async (context) => {
    const { tracing, collector } = await opened(context, 0);
    await collector.open();
    const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const parent = spanSource()?.remote(`00-${traceId}-${spanId}-01`, 'a=1');
    assert.ok(parent?.isSampled);
    const span = parent.start({ name: 'GET', request: { ...request, baggage: 'user=x' } });
    const { traceparent, tracestate, baggage } = span.headers ?? {};
    assert.match(String(traceparent), new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    assert.deepEqual([tracestate, baggage], ['a=1', 'user=x']);
    span.end();
    runInSpan(parent.standIn(request), () => childSpan('Create')?.end());
    await tracing.flush();
    assert.deepEqual(
      collector.spans.map((sent) => [sent.name, sent.traceId, sent.parentId]),
      [
        ['GET', traceId, spanId],
        ['Create', traceId, spanId],
      ],
    );
  });

  test('takes no headers that name no span, and no trace that is not sampled', async (context) => {
    await opened(context, 0);
    for (const text of ['', '00-0-0-01', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, 'x'.repeat(100_000)])
      assert.equal(spanSource()?.remote(text, undefined), undefined);
    assert.equal(
      spanSource()?.remote('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', 'x')?.isSampled,
      false,
    );
    assert.equal(spanSource()?.samples(), false);
  });

  test('drops and counts what has no place while the collector is away, and makes nobody wait', async (context) => {
    const { tracing, collector } = await opened(context);
    for (let index = 0; index < 2_500; index++) begun('a').end();
    assert.deepEqual(counted(tracing), [['dropped', 452]]);
    const startMs = performance.now();
    await tracing.flush();
    tracing.close();
    assert.ok(performance.now() - startMs < 5_000);
    assert.equal(collector.spans.length, 0);
    assert.equal(activeSpan(), undefined);
  });

  for (const [does, serve] of [
    ['says nothing', () => undefined],
    ['answers garbage', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'.repeat(1000))],
    ['hangs up', (socket: Socket) => void socket.destroy()],
  ] as const)
    test(`makes nobody wait for a collector that ${does}, and counts what it drops`, async (context) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        serve(socket);
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      context.after(() => server.close());
      const { tracing } = await opened(context, 1_000_000, `127.0.0.1:${(server.address() as AddressInfo).port}`);
      for (let index = 0; index < 3_000; index++) begun('a').end();
      assert.deepEqual(counted(tracing), [['dropped', 3_000 - 2_048]]);
      const startMs = performance.now();
      await tracing.flush();
      assert.ok(performance.now() - startMs < 5_000);
    });

  test('sends all spans of a full batch', async (context) => {
    const { tracing, collector } = await opened(context);
    await collector.open();
    for (let index = 0; index < 512; index++) begun(`span-${index}`).end();
    await tracing.flush();
    assert.deepEqual(new Set(collector.spans.map(({ name }) => name)).size, 512);
  });

  test('drops a batch that the collector refuses, and sends the next', async (context) => {
    const { tracing, collector } = await opened(context);
    await collector.open();
    collector.refusal = { code: 3, description: 'no' };
    for (let index = 0; index < 512; index++) begun('a').end();
    while (counted(tracing).length === 0) await new Promise(setImmediate);
    assert.deepEqual(counted(tracing), [['dropped', 512]]);
    collector.refusal = undefined;
    begun('b').end();
    await tracing.flush();
    assert.deepEqual(
      collector.spans.map(({ name }) => name),
      ['b'],
    );
  });
});
