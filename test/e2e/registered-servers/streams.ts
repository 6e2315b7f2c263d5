// Long and large answers pass from a registered server through the gateway to a client that speaks HTTP/2:
//   node --import tsx test/e2e/registered-servers/streams.ts [--bounds]
// 10,000 watch events, 200 MB in both directions at once, a client that stops reading and one that goes away. With
// --bounds, for a quiet machine, the gateway's memory and the time until a server knows of an end are judged.
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { http2Client } from '#test/api-client.ts';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';

const { values: flags } = parseArgs({ options: { bounds: { type: 'boolean', default: false } } });
const group = '/apis/streams.example/v1';
const watchEvents = 10_000;
const bodyBytes = 200 * 1024 * 1024;
const chunk = Buffer.alloc(256 * 1024, 'x');
/** What the gateway may hold more than before: windows and buffers of sockets, young garbage; not a body. */
const growthMiB = 64;
const abortWithinMs = 100;

/** What the server sees of requests that do not end by themselves. */
const seen = { written: 0, goneAt: 0 };

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'https://server');
  if (pathname === group)
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ kind: 'APIResourceList', groupVersion: 'streams.example/v1', resources: [] }));
  else if (pathname === `${group}/echo`) request.pipe(response);
  else if (pathname === `${group}/events`) {
    for (let serial = 0; serial < watchEvents; serial++) {
      const line = `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: `n${serial}` }, data: 'x'.repeat(1000) } })}\n`;
      if (!response.write(line)) await once(response, 'drain');
    }
    response.end();
  } else if (pathname === `${group}/endless`) {
    seen.written = 0;
    seen.goneAt = 0;
    const closed = once(response, 'close').then(() => {
      seen.goneAt = performance.now();
    });
    while (!response.destroyed) {
      seen.written += chunk.length;
      if (!response.write(chunk))
        await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed]);
    }
  } else response.writeHead(404).end();
}

/** A server behind the name `localhost`, registered and available. */
async function register(cluster: Cluster): Promise<{ close(): void }> {
  const ca = await createTestCa('CN=streams-ca');
  const serving = await ca.issue('CN=streams', 'server', undefined, 'streams.default.svc');
  const server = createServer(
    { key: serving.key, cert: serving.cert },
    (request, response) => void serve(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const admin = http2Client(cluster);
  const create = async (path: string, body: object): Promise<void> => {
    const answer = await admin.send('POST', path, { body });
    assert.equal(answer.status, 201, answer.text);
  };
  await create('/api/v1/namespaces/default/services', {
    metadata: { name: 'streams' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await create('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.streams.example' },
    spec: {
      group: 'streams.example',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      caBundle: Buffer.from(ca.cert).toString('base64'),
      service: { namespace: 'default', name: 'streams', port },
    },
  });
  while ((await admin.send('GET', group)).status !== 200) await pause(20);
  admin.close();
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What the gateway takes: memory that is its own in MiB, with the most of it that was seen, and CPU. */
class Gateway {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  most = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.now(), 50);
  }

  /** Seconds of CPU so far. */
  cpu(): number {
    const [user = '0', system = '0'] = readFileSync(`/proc/${this.#pid}/stat`, 'utf8').split(' ').slice(13, 15);
    return (Number(user) + Number(system)) / 100;
  }

  now(): number {
    const kiB = Number(/^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#pid}/smaps_rollup`, 'utf8'))?.[1]);
    this.most = Math.max(this.most, kiB / 1024);
    return kiB / 1024;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

async function answered(stream: ClientHttp2Stream): Promise<void> {
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
  assert.equal(headers[':status'], 200);
}

async function events(session: ClientHttp2Session): Promise<void> {
  const stream = session.request({ ':path': `${group}/events?watch=1` });
  await answered(stream);
  let lines = 0;
  for await (const part of stream) for (const byte of part as Buffer) if (byte === 0x0a) lines++;
  assert.equal(lines, watchEvents);
}

async function bothWays(session: ClientHttp2Session): Promise<void> {
  const stream = session.request({
    ':path': `${group}/echo`,
    ':method': 'POST',
    'content-type': 'application/octet-stream',
  });
  const sending = (async () => {
    for (let sent = 0; sent < bodyBytes; sent += chunk.length) if (!stream.write(chunk)) await once(stream, 'drain');
    stream.end();
  })();
  await answered(stream);
  let received = 0;
  for await (const part of stream) received += (part as Buffer).length;
  await sending;
  assert.equal(received, bodyBytes);
}

/** How much the server could send to a client that does not read, in MiB. */
async function stalled(session: ClientHttp2Session): Promise<number> {
  const stream = session.request({ ':path': `${group}/endless` });
  await answered(stream);
  for (let before = -1; before !== seen.written;) {
    before = seen.written;
    await pause(500);
  }
  const sentMiB = seen.written / 1024 / 1024;
  assert.ok(sentMiB < growthMiB, `the server could send ${sentMiB} MiB to a client that does not read`);
  await abort(stream);
  return sentMiB;
}

/** Milliseconds until the server knows. */
async function abort(stream: ClientHttp2Stream): Promise<number> {
  stream.on('error', () => undefined);
  const since = performance.now();
  stream.close(constants.NGHTTP2_CANCEL);
  while (seen.goneAt === 0) {
    await pause(1);
    if (performance.now() - since > 5000) throw new Error('the server never learned that the client was gone');
  }
  return seen.goneAt - since;
}

/** The quickest of some: a busy machine may hold up any of them. */
async function aborted(session: ClientHttp2Session): Promise<number> {
  let quickestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10 && quickestMs >= abortWithinMs; round++) {
    const stream = session.request({ ':path': `${group}/endless` });
    await answered(stream);
    stream.resume();
    await once(stream, 'data');
    quickestMs = Math.min(quickestMs, await abort(stream));
  }
  if (flags.bounds)
    assert.ok(quickestMs < abortWithinMs, `the server learned after ${quickestMs} ms that the client was gone`);
  return quickestMs;
}

const cluster = await startCluster({ bundled: true });
const server = await register(cluster);
const file = (name: string): Buffer => readFileSync(join(cluster.pki, name));
// Windows as Go's client has them.
const session = connect(cluster.url, {
  ca: file('ca.crt'),
  cert: file('admin.crt'),
  key: file('admin.key'),
  settings: { initialWindowSize: 4 * 1024 * 1024 },
});
session.once('connect', () => session.setLocalWindowSize(1024 * 1024 * 1024));
const gateway = new Gateway(processOf(cluster, 'gateway') ?? 0);
/** Runs a part and prints what the gateway held more, at most, than before it. */
async function measured(what: string, part: () => Promise<unknown>): Promise<void> {
  const before = gateway.now();
  const cpu = gateway.cpu();
  gateway.most = before;
  const since = performance.now();
  const result = await part();
  const grown = gateway.most - before;
  console.log(
    `${what}: ${Math.round(performance.now() - since)} ms, ${(gateway.cpu() - cpu).toFixed(1)} s of CPU in the gateway, which held ${before.toFixed(0)} MiB before and at most ${grown.toFixed(0)} MiB more${typeof result === 'number' ? `; ${result.toFixed(1)}` : ''}`,
  );
  if (flags.bounds) assert.ok(grown < growthMiB, `the gateway grew by ${grown} MiB`);
}
try {
  await measured('10,000 watch events', () => events(session));
  await measured('200 MB both ways', () => bothWays(session));
  await measured('a client that does not read; MiB taken from the server', () => stalled(session));
  await measured('a client that goes away; ms until the server knew', () => aborted(session));
} finally {
  gateway.close();
  session.destroy();
  server.close();
  await cluster.close();
}
