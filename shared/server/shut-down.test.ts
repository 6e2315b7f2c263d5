import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { describe, test, type TestContext } from 'node:test';
import { InFlightRequests } from '#shared/filters/in-flight.ts';
import { createLogger } from '#shared/observability/logger.ts';
import type { Exchange, ResponseStream } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { Listener } from './exchange/listener.ts';
import type { OpenListener } from './exchange/listener.ts';
import { tlsListener } from './http/tls.ts';
import { Lifecycle } from './lifecycle.ts';
import { resolveServerOptions } from './options/server-options.ts';
import { shutDown } from './shut-down.ts';
import { createTestCa } from './testing/certificates.ts';

/** The last request with a deadline ends in the turn after an event was written to each watch. */
class LastEventFirst extends InFlightRequests {
  readonly streams: ResponseStream[] = [];

  constructor() {
    super(() => undefined);
  }

  override async drained(): Promise<void> {
    for (const stream of this.streams) stream.write('last event');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A server whose every request is a watch. */
async function openWatches(t: TestContext, open: OpenListener, flags: Parameters<typeof resolveServerOptions>[0] = {}) {
  const inFlight = new LastEventFirst();
  const watch = inFlight.filter()(({ exchange }) => {
    inFlight.streams.push(exchange.stream(200, {}));
    return undefined;
  });
  const info = { verb: 'watch' };
  const listener = await open(
    (exchange: Exchange) => void watch({ exchange, info, longRunning: true } as RequestContext),
  );
  t.after(() => listener.destroy());
  const end = (): Promise<void> =>
    shutDown({
      options: resolveServerOptions(flags),
      lifecycle: new Lifecycle('test', createLogger({ level: 0, format: 'text', write: () => undefined })),
      inFlight,
      listeners: [listener],
    });
  return { listener, end };
}

/** Resolves, when the watch is open, with what resolves with its text and how it ended. */
async function http2Watch(listener: Listener, ca: string | Buffer): Promise<() => Promise<readonly [string, number]>> {
  const session = connect(`https://127.0.0.1:${listener.port}`, { ca });
  const stream = session.request({ ':path': '/' });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const closed = once(stream, 'close');
  await once(stream, 'response');
  return async () => {
    await closed;
    session.close();
    return [text, stream.rstCode ?? -1];
  };
}

describe('shutDown', () => {
  test('delivers an event written while the watches are ended, before the end of each stream', async (t) => {
    const ca = await createTestCa();
    const { listener, end } = await openWatches(
      t,
      tlsListener({ host: '127.0.0.1', port: 0, ...(await ca.issue('CN=server')) }),
      { requestTimeout: 100 },
    );
    const watches = await Promise.all(Array.from({ length: 3 }, () => http2Watch(listener, ca.cert)));
    await end();
    const whole = ['last event', constants.NGHTTP2_NO_ERROR];
    assert.deepEqual(await Promise.all(watches.map((read) => read())), [whole, whole, whole]);
  });

  test('without a grace period, ends watches when connections have had the time of a request', async (t) => {
    const { watchMs } = await endWithWatch(t, { requestTimeout: 800 });
    assert.ok(watchMs >= 790, `ended after ${watchMs} ms`);
  });

  test('with Retry-After, ends watches two seconds after the last request', async (t) => {
    const { watchMs } = await endWithWatch(t, { requestTimeout: 60_000, shutdownSendRetryAfter: true });
    assert.ok(watchMs >= 1_990, `ended after ${watchMs} ms`);
  });

  test('with a grace period, ends watches at once', async (t) => {
    const times = { requestTimeout: 60_000, shutdownWatchTerminationGracePeriod: 30_000 };
    const { endMs } = await endWithWatch(t, times);
    assert.ok(endMs < 10_000, `ended after ${endMs} ms`);
  });
});

/** @returns when a watch, and the whole server, had ended */
async function endWithWatch(t: TestContext, flags: Parameters<typeof resolveServerOptions>[0]) {
  const ca = await createTestCa();
  const { listener, end } = await openWatches(
    t,
    tlsListener({ host: '127.0.0.1', port: 0, ...(await ca.issue('CN=server')) }),
    flags,
  );
  const read = await http2Watch(listener, ca.cert);
  const began = performance.now();
  const ended = end();
  await read();
  const watchMs = performance.now() - began;
  await ended;
  return { watchMs, endMs: performance.now() - began };
}
