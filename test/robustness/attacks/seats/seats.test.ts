import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { toStatus } from '#shared/apimachinery/errors/status.ts';
import { createLogger } from '#shared/observability/logger.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { tlsListener } from '#shared/server/http/tls.ts';
import { resolveServerOptions } from '#shared/server/options/server-options.ts';
import { startServer, type RunningServer } from '#shared/server/start-server.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { endsWithin, frame, openRaw } from '#test/robustness/hostile/raw-connection.ts';
import { openHttp2 } from './attacks.ts';
import { headersFrame, http1Head } from './request-head.ts';

// A server with few seats and short deadlines, attacked by `mallory` while `victim` asks. Nobody else has rights.

const seats = 5;
const attackers = 30;
const requestTimeoutMs = 1_000;
const configMaps = '/api/v1/namespaces/a/configmaps';
const large = Buffer.alloc(512 * 1024, 'x');

let server: RunningServer;
let url: string;
let victim: ClientHttp2Session;
const begun: string[] = [];

const handle: Handler = async ({ exchange, user }) => {
  begun.push(`${user.name} ${exchange.method} ${exchange.path}`);
  if (exchange.method === 'POST') await exchange.readBody(1_000_000);
  exchange.send(200, {}, exchange.path.endsWith('/large') ? large : '{}');
};

before(async () => {
  const ca = await createTestCa();
  server = await startServer({
    name: 'seats',
    handler: handle,
    logger: createLogger({ level: 0, format: 'text', write: () => undefined }),
    options: resolveServerOptions({
      requestTimeout: requestTimeoutMs,
      maxRequestsInflight: seats,
      maxMutatingRequestsInflight: seats,
    }),
    listeners: [tlsListener({ host: '127.0.0.1', port: 0, ...(await ca.issue('CN=server')) })],
    chain: {
      apiAudiences: [],
      writeError: ({ exchange }, error) => exchange.send(toStatus(error).code, {}, JSON.stringify(toStatus(error))),
      authenticator: {
        authenticate: ({ headers }) => ({
          user: {
            name: String(headers['authorization'] ?? 'Bearer system:anonymous').slice(7),
            uid: '',
            groups: [],
            extra: {},
          },
        }),
      },
      authorizer: {
        authorize: ({ user }) => ({
          decision: ['victim', 'mallory', 'slow'].includes(user.name) ? 'allow' : 'noOpinion',
          reason: '',
        }),
      },
    },
  });
  url = `https://127.0.0.1:${server.listeners[0]?.port}`;
  victim = connect(url, { rejectUnauthorized: false });
});
after(async () => {
  victim.destroy();
  await server.shutdown();
});

async function status(method: 'GET' | 'POST', user: string): Promise<number> {
  const stream = victim.request({ ':method': method, ':path': configMaps, authorization: `Bearer ${user}` });
  stream.end(method === 'POST' ? '{}' : undefined);
  const [answered] = await once(stream.resume(), 'response');
  return Number(answered[':status']);
}

/** Resolves when the server has said so much on each of so many streams; the frames are told by their types. */
async function framesOf(
  socket: TLSSocket,
  enough: (types: readonly { type: number; stream: number }[]) => boolean,
): Promise<void> {
  const seen: { type: number; stream: number }[] = [];
  let rest = Buffer.alloc(0);
  const done = Promise.withResolvers<void>();
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      seen.push({ type: rest[3] ?? 0, stream: rest.readUInt32BE(5) });
      rest = rest.subarray(9 + rest.readUIntBE(0, 3));
    }
    if (enough(seen)) done.resolve();
  });
  await done.promise;
}

const [headersType, resetType, goawayType] = [1, 3, 7];
/** A connection may have 100 streams; twice as many may be reset at once. */
const resetsAllowed = 200;
const lastStream = 1001;

/** HEADERS and RST_STREAM of so many streams, and HEADERS of one that is to be answered. */
function resets(streams: number): Buffer {
  const cancel = Buffer.from([0, 0, 0, 8]);
  const asked = { method: 'GET', path: `${configMaps}/reset`, token: 'mallory' } as const;
  const pairs = Array.from({ length: streams }, (_, at) =>
    Buffer.concat([headersFrame(2 * at + 1, asked, true), frame(resetType, 0, 2 * at + 1, cancel)]),
  );
  return Buffer.concat([
    ...pairs,
    headersFrame(lastStream, { method: 'GET', path: configMaps, token: 'mallory' }, true),
  ]);
}

describe('HTTP/2 stream resets', () => {
  test('keep streams that are reset at once from reaching a handler', async () => {
    const socket = await openHttp2(url, 65_535);
    const answered = framesOf(socket, (seen) =>
      seen.some(({ type, stream }) => type === headersType && stream === lastStream),
    );
    socket.write(resets(resetsAllowed));
    await answered;
    await sleep(0);
    // A connection's bytes come in pieces: one stream may lie across the border of two.
    const reached = begun.filter((one) => one.endsWith('/reset')).length;
    assert.ok(reached <= 20, `${reached} of ${resetsAllowed} were begun`);
    socket.destroy();
  });

  test('end a connection that resets twice its allowed streams', async () => {
    const socket = await openHttp2(url, 65_535);
    const ended = framesOf(socket, (seen) => seen.some(({ type }) => type === goawayType));
    socket.write(resets(2 * resetsAllowed));
    await ended;
    assert.equal(await endsWithin(socket, 5_000), true);
  });
});

describe('requests in flight', { concurrency: true }, () => {
  for (const user of [undefined, 'mallory'] as const) {
    test(`do not count responses that ${user ?? 'nobody'} leaves unread, and are reset after the deadline`, async () => {
      const socket = await openHttp2(url, 0);
      const answered = framesOf(socket, (seen) => seen.filter(({ type }) => type === headersType).length === attackers);
      const cut = framesOf(socket, (seen) => seen.filter(({ type }) => type === resetType).length === attackers);
      for (let at = 0; at < attackers; at++)
        socket.write(headersFrame(2 * at + 1, { method: 'GET', path: `${configMaps}/large`, token: user }, true));
      // More were answered than there are seats, and none was read.
      await answered;
      assert.equal(await status('GET', 'victim'), 200);
      await cut;
      socket.destroy();
    });

    test(`do not count unfinished bodies of ${user ?? 'nobody'}, and end by the deadline`, async () => {
      const sockets = await Promise.all(Array.from({ length: seats }, () => openRaw(url, 'http/1.1')));
      for (const socket of sockets)
        socket.write(`${http1Head({ method: 'POST', path: configMaps, token: user }, 1000)}{`);
      const streams = await openHttp2(url, 65_535);
      const over = framesOf(streams, (seen) => seen.filter(({ type }) => type === resetType).length === attackers);
      for (let at = 0; at < attackers; at++) {
        streams.write(
          Buffer.concat([
            headersFrame(2 * at + 1, { method: 'POST', path: configMaps, token: user }, false),
            frame(0, 0, 2 * at + 1, Buffer.from('{')),
          ]),
        );
      }
      assert.equal(await status('POST', 'victim'), 200);
      await over;
      // The rest of a refused body is waited for somewhat longer than the body of one that is served.
      assert.deepEqual(
        await Promise.all(sockets.map((socket) => endsWithin(socket, 8_000))),
        sockets.map(() => true),
      );
      assert.equal(await status('POST', user ?? 'victim'), 200);
      streams.destroy();
    });
  }

  test('refuse unfinished bodies of one user beyond the limit until earlier ones are complete', async () => {
    const socket = await openHttp2(url, 65_535);
    const refused = framesOf(
      socket,
      (seen) => seen.filter(({ type }) => type === headersType).length === attackers - seats,
    );
    const served = framesOf(socket, (seen) => seen.filter(({ type }) => type === headersType).length === attackers);
    for (let at = 0; at < attackers; at++)
      socket.write(headersFrame(2 * at + 1, { method: 'POST', path: configMaps, token: 'slow' }, false));
    await refused;
    assert.equal(await status('POST', 'victim'), 200);
    for (let at = 0; at < seats; at++) socket.write(frame(0, 1, 2 * at + 1, Buffer.from('{}')));
    await served;
    assert.equal(await status('POST', 'slow'), 200);
    socket.destroy();
  });
});
