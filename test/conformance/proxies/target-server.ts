import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { oddPages } from './odd-pages.ts';

/**
 * A server as a pod may have one: it echoes, redirects, compresses, streams, fails and upgrades, by the end of the
 * path.
 */
export interface TargetServer {
  readonly port: number;
  /** How many came in so far. */
  connections(): number;
  /** Resolves when the next answer to `endless` was given up by its client. */
  nextEndless(): Promise<void>;
  close(): Promise<void>;
}

/** An address of this machine that proxies may reach: neither loopback nor link-local. Undefined where it has none. */
export function reachableAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'))
    ?.address;
}

const page = `<!DOCTYPE html><HTML><head><BASE href="/base"><script src='/app.js'>if (a < b) document.write('<a href="/x">');</script>
<style>a { background: url(/x.png) }</style></head><body background=/bg.png class=a disabled><!-- <a href="/c"> -->
<a href="/abs?q=1&amp;r=2#f">x</a><A HREF=relative/path>y</A><a href="http://other.example/z">z</a><a href="//other.example/z">z</a>
<img src="/i.png" alt="&lt;&quot;'>" usemap="#m"/><form action="/go/"></form><br><textarea><a href="/t"></textarea><p title="a
b">text &amp; <b>more</b></p></body></HTML>`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const fixed =
  (status: number, headers: Record<string, string | string[]>, body?: string | Buffer): Answer =>
  (_request, response) => {
    response.writeHead(status, { Date: 'Thu, 01 Jan 2026 00:00:00 GMT', ...headers });
    response.end(body);
  };

const html = (body: string | Buffer, more: Record<string, string> = {}): Answer =>
  fixed(
    200,
    { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': String(Buffer.byteLength(body)), ...more },
    body,
  );

/** By the last segment of the path; whatever has no entry is an echo. */
const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['page', html(page)],
  ['page-gzip', html(gzipSync(page), { 'Content-Encoding': 'gzip' })],
  ['page-deflate', html(deflateRawSync(page), { 'Content-Encoding': 'deflate' })],
  ['page-br', html(brotliCompressSync(page), { 'Content-Encoding': 'br' })],
  ['page-large', html(page.repeat(40))],
  ['page-empty', html('')],
  ['page-chunked', fixed(200, { 'Content-Type': 'text/html' }, page)],
  ['page-not-gzip', html('no gzip at all', { 'Content-Encoding': 'gzip' })],
  ['page-404', fixed(404, { 'Content-Type': 'text/html', 'Content-Length': '16' }, '<a href="/x">x</')],
  ['text-gzip', fixed(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }, gzipSync('compressed'))],
  ['text-gzip-broken', fixed(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }, 'no gzip')],
  ['redirect-absolute', fixed(302, { Location: '/elsewhere/?a=b#c', 'Content-Length': '0' })],
  ['redirect-relative', fixed(302, { Location: 'elsewhere', 'Content-Length': '0' })],
  ['redirect-other', fixed(301, { Location: 'https://other.example/x?y', 'Content-Length': '0' })],
  [
    'redirect-self',
    (request, response) =>
      fixed(307, { Location: `http://${request.headers.host}/self`, 'Content-Length': '0' })(request, response),
  ],
  [
    'redirect-address',
    (request, response) =>
      fixed(307, {
        Location: `http://${request.socket.localAddress}:${request.socket.localPort}/a b/%2f?x`,
        'Content-Length': '0',
      })(request, response),
  ],
  ['redirect-colon', fixed(302, { Location: ':broken', 'Content-Length': '0' })],
  ['redirect-escape', fixed(302, { Location: '/%zz', 'Content-Length': '0' })],
  ['redirect-port', fixed(302, { Location: 'http://a:b/', 'Content-Length': '0' })],
  ['redirect-mail', fixed(302, { Location: 'mailto:a@b', 'Content-Length': '0' })],
  ['redirect-query', fixed(302, { Location: '?a=b', 'Content-Length': '0' })],
  ['redirect-slashes', fixed(302, { Location: '/a//b/../c/', 'Content-Length': '0' })],
  ['redirect-user', fixed(302, { Location: 'http://u:p@other.example/x', 'Content-Length': '0' })],
  [
    'created-location',
    fixed(201, { Location: '/made/1', 'Content-Type': 'text/html', 'Content-Length': '13' }, '<a href="/x">'),
  ],
  [
    'cors',
    fixed(200, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET',
      'Access-Control-Allow-Headers': 'X',
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Max-Age': '5',
      'Content-Length': '0',
    }),
  ],
  [
    'headers',
    fixed(200, {
      'Cache-Control': 'max-age=5',
      'Set-Cookie': ['a=1', 'b=2'],
      'X-Twice': ['1', '2'],
      'Audit-Id': 'of-the-target',
      'Keep-Alive': 'timeout=7',
      'X-Named': '1',
      Connection: 'X-Named',
      'Content-Length': '0',
    }),
  ],
  ['no-content', fixed(204, {})],
  [
    'informs',
    (request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      fixed(200, { 'Content-Length': '0' })(request, response);
    },
  ],
  ['not-modified', fixed(304, { ETag: '"a"' })],
  ['teapot', fixed(418, { 'Content-Type': 'text/plain', 'Content-Length': '5' }, 'short')],
  ['failure', fixed(500, { 'Content-Type': 'application/json', 'Content-Length': '2' }, '{}')],
  ['unavailable', fixed(503, { 'Retry-After': '3', 'Content-Length': '0' })],
  [
    'chunked',
    (_request, response) => {
      response.writeHead(200, { Date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'Content-Type': 'text/plain' });
      response.write('one ');
      setImmediate(() => response.end('two'));
    },
  ],
  [
    'trailers',
    (_request, response) => {
      response.writeHead(200, {
        Date: 'Thu, 01 Jan 2026 00:00:00 GMT',
        'Content-Type': 'text/plain',
        Trailer: 'X-Sum',
      });
      response.write('body');
      response.addTrailers({ 'X-Sum': '4' });
      response.end();
    },
  ],
  // With a body that was read: else the system answers it with a reset, or not, as it comes sooner or later.
  ['closes', (request) => void request.resume().once('end', () => request.socket.destroy())],
  ['ends', (request) => void request.socket.end()],
  ['resets', (request) => void request.socket.resetAndDestroy()],
  ['garbage', (request) => void request.socket.end('no HTTP at all\r\n\r\n')],
  [
    'huge-headers',
    (request) => void request.socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(11 * 1024 * 1024)}\r\n\r\n`),
  ],
  [
    'unasked-upgrade',
    (request) =>
      void request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
  ],
  [
    'cut-off',
    (request) =>
      void request.socket.end(
        'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 100\r\n\r\nshort',
      ),
  ],
  ...oddPages.map((odd, at): [string, Answer] => [`odd-page-${at}`, html(Buffer.from(odd, 'latin1'))]),
  [
    'early',
    (request) =>
      void request.socket.end(
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n',
      ),
  ],
]);

/** The ends of paths that are not echoed. */
export const kinds: readonly string[] = [...answers.keys()];

/** What came, in the order in which nothing hangs on the sender's order of headers. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat((await request.toArray()) as Buffer[]);
  const names = request.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${request.rawHeaders[at + 1] ?? ''}`] : [],
  );
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const text = `${JSON.stringify({ method: request.method, url: request.url, headers: names.sort(), bytes: body.length, digest, start: body.toString('latin1', 0, 40) })}\n`;
  response.writeHead(200, {
    Date: 'Thu, 01 Jan 2026 00:00:00 GMT',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

function lastSegment(request: IncomingMessage): string {
  return new URL(request.url ?? '/', 'http://target').pathname.split('/').at(-1) ?? '';
}

function upgraded(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', () => socket.destroy());
  const kind = lastSegment(request);
  if (kind === 'refuse')
    return void socket.end(
      'HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nX-Own: 1\r\nContent-Length: 2\r\n\r\nno',
    );
  if (kind === 'ignore') return void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  const names = request.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}: ${request.rawHeaders[at + 1] ?? ''}`] : [],
  );
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade ?? ''}\r\nX-Own: 1\r\n\r\n`,
  );
  socket.write(`${JSON.stringify({ method: request.method, url: request.url, headers: names.sort() })}\n`);
  if (head.length > 0) socket.write(head);
  socket.pipe(socket);
}

export async function startTarget(
  host: string,
  tls?: { readonly cert: string; readonly key: string },
): Promise<TargetServer> {
  const events = new EventEmitter();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('error', () => undefined);
    const kind = lastSegment(request);
    const answer = answers.get(kind);
    if (kind === 'endless') {
      response.write('a line\n');
      response.on('close', () => events.emit('given up'));
    } else if (answer === undefined) void echo(request, response).catch(() => response.destroy());
    else answer(request, response);
  };
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer({ ...tls }, serve);
  server.on('upgrade', upgraded);
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    nextEndless: async () => void (await once(events, 'given up')),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
