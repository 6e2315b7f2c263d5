// Compares hops to a backend over a Unix socket: CPU of this (forwarding) process per request, with a trivial backend
// in a process of its own. Run: node --import tsx test/benchmark/gateway-transport.ts [requests] [body bytes]
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, IncomingMessage, request as httpRequest, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProxyServer } from 'http-proxy-3';
import { Client, Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { HopTransport } from '#gateway/proxy/hop-transport.ts';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';

const lines =
  'host: localhost\r\naccept: application/json\r\nuser-agent: kubectl\r\naudit-id: 0123456789\r\nx-forwarded-for: 127.0.0.1\r\nX-Remote-User: admin\r\nX-Remote-Group: system:masters\r\nX-Remote-Group: system:authenticated\r\n';
const pairs = lines
  .trimEnd()
  .split('\r\n')
  .flatMap((line) => line.split(': '));
const target = '/api/v1/namespaces/default/configmaps/a';

type Send = (done: (bytes: number) => void) => void;

if (process.argv[2] === 'backend') serve(process.argv[3] ?? '', Number(process.argv[4]));
else await compare(Number(process.argv[2] ?? 30_000), Number(process.argv[3] ?? 2000));

function serve(path: string, bytes: number): void {
  const body = Buffer.alloc(bytes, 'x');
  createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  }).listen(path, () => {
    void listenUnix(`${path}.hop`, (exchange) => exchange.send(200, { 'content-type': 'application/json' }, body)).then(
      () => process.send?.('ready'),
    );
  });
  process.on('disconnect', () => process.exit(0));
}

async function compare(requests: number, bytes: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-bench-'));
  const path = join(directory, 'backend.sock');
  const backend = fork(fileURLToPath(import.meta.url), ['backend', path, String(bytes)]);
  await new Promise((resolve) => backend.once('message', resolve));
  for (const [name, send, close] of candidates(path)) {
    await run(send, requests / 5);
    const before = process.cpuUsage();
    const startedMs = performance.now();
    await run(send, requests);
    const { user, system } = process.cpuUsage(before);
    process.stdout.write(
      `${name.padEnd(28)} ${((user + system) / requests).toFixed(1)} µs CPU a request, ${Math.round((requests / (performance.now() - startedMs)) * 1000)} requests/s\n`,
    );
    close();
  }
  backend.disconnect();
  rmSync(directory, { recursive: true, force: true });
}

function run(send: Send, requests: number, parallel = 32): Promise<void> {
  return new Promise((resolve) => {
    let started = 0;
    let finished = 0;
    const next = (): void => {
      if (started < requests) {
        started++;
        send(() => {
          if (++finished >= requests) resolve();
          else next();
        });
      }
    };
    for (let count = 0; count < parallel; count++) next();
  });
}

function candidates(path: string): [string, Send, () => void][] {
  const own = new HopTransport(() => connect({ path: `${path}.hop` }));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const pool = new Pool('http://localhost', { socketPath: path, connections: 64, pipelining: 1, bodyTimeout: 0 });
  const piped = new Client('http://localhost', { socketPath: path, pipelining: 32, bodyTimeout: 0 });
  return [
    [
      'frames',
      (done) =>
        void own.forward(
          { method: 'GET', target, ownLines: '', sharedLines: lines, body: undefined },
          {
            onWhole: (_status, _headers, body) => done(body?.length ?? 0),
            onHead: () => undefined,
            onData: () => true,
            onEnd: () => done(0),
            onError: (error) => {
              throw error;
            },
          },
        ),
      () => own.close(),
    ],
    ['undici Pool.dispatch', (done) => dispatch(pool, done), () => void pool.destroy()],
    ['undici Client, pipelined', (done) => dispatch(piped, done), () => void piped.destroy()],
    [
      'node:http agent',
      (done) => {
        const request = httpRequest(
          { socketPath: path, path: target, agent, headers: pairs, setHost: false },
          (response) => {
            response.on('data', () => undefined);
            response.on('end', () => done(0));
          },
        );
        request.end();
      },
      () => agent.destroy(),
    ],
    ['http-proxy-3', ...throughLibrary(path)],
  ];
}

/**
 * It takes Node's request and answer, which are made here as the gateway would have to: its listeners have none. What
 * the backend answers is read, not sent on, as with the others.
 */
function throughLibrary(path: string): [Send, () => void] {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const proxy = createProxyServer({ toProxy: true, selfHandleResponse: true, agent });
  const waiting = new WeakMap<IncomingMessage, (bytes: number) => void>();
  proxy.on('proxyRes', (answer, request) => {
    answer.on('data', () => undefined);
    answer.on('end', () => waiting.get(request)?.(0));
  });
  const headers = Object.fromEntries(
    lines
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]),
  );
  const send: Send = (done) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: target });
    Object.assign(request.headers, headers);
    request.push(null);
    waiting.set(request, done);
    proxy.web(request, new ServerResponse(request), { target: { socketPath: path } as never }, (error) => {
      throw error;
    });
  };
  return [send, () => agent.destroy()];
}

function dispatch(dispatcher: Dispatcher, done: (bytes: number) => void): void {
  let bytes = 0;
  dispatcher.dispatch(
    { path: target, method: 'GET', headers: pairs },
    {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (_controller, chunk) => {
        bytes += chunk.length;
      },
      onResponseEnd: () => done(bytes),
      onResponseError: (_controller, error) => {
        throw error;
      },
    },
  );
}
