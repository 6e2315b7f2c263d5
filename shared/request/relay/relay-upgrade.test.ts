import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { describe, test, type TestContext } from 'node:test';
import { DirectReads } from '#shared/request/direct-reads.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { relayUpgrade } from './relay-upgrade.ts';

interface Played {
  /** What the client was told, or how the request ended. */
  readonly log: string[];
  /** The client's end of its connection. */
  readonly client: Duplex;
  readonly request: ClientRequest;
  readonly done: Promise<void>;
  readonly leave: () => void;
}

async function play(t: TestContext, server: Server): Promise<Played> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const log: string[] = [];
  const [client, socket] = duplexPair();
  const reads = new DirectReads();
  const request = httpRequest({
    ...reads.requestOptions,
    port: (server.address() as AddressInfo).port,
    headers: { connection: 'Upgrade', upgrade: 'websocket' },
    agent: false,
  });
  const listeners: (() => void)[] = [];
  const exchange = {
    closed: false,
    responded: false,
    onClose: (listener: () => void) => void listeners.push(listener),
    upgrade: () => ({ socket, head: Buffer.alloc(0), hopLines: 'x-quarterdeck-audit: own\r\n' }),
  };
  const done = relayUpgrade(exchange as unknown as Exchange, request, reads, {
    onFailure: (error) => void log.push(`failure ${(error as NodeJS.ErrnoException).code}`),
    onUpgrade: (answer) => void log.push(`upgrade ${String(answer.headers['x-quarterdeck-audit'])}`),
    onRefusal(answer: IncomingMessage) {
      log.push(`refusal ${answer.statusCode}`);
      answer.resume();
    },
  });
  const leave = (): void => {
    exchange.closed = true;
    for (const listener of listeners) listener();
  };
  return { log, client, request, done, leave };
}

describe('relayUpgrade', () => {
  test("joins the client to a server that answers 101, without that server's header for audit events", async (t) => {
    const server = createServer();
    server.on('upgrade', (_request, socket: Duplex) => {
      const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket';
      socket.write(`${head}\r\nX-Quarterdeck-Audit: forged\r\n\r\n`);
      socket.pipe(socket).on('error', () => undefined);
    });
    const { client, done, log } = await play(t, server);
    await done;
    let text = '';
    client.on('data', (chunk: Buffer) => (text += String(chunk)));
    client.write('echoed');
    while (!text.endsWith('echoed')) await once(client, 'data');
    assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
    assert.match(text, /\r\nx-quarterdeck-audit: own\r\n\r\n/);
    assert.doesNotMatch(text, /forged/);
    assert.deepEqual(log, ['upgrade forged']);
    client.destroy();
  });

  test('hands over the answer of a server that does not upgrade', async (t) => {
    const server = createServer((_request, response) => response.writeHead(403).end('no'));
    const { done, log } = await play(t, server);
    await done;
    assert.deepEqual(log, ['refusal 403']);
  });

  test('reports a server that closes the connection without an answer', async (t) => {
    const { done, log } = await play(
      t,
      createServer((request) => request.socket.destroy()),
    );
    await done;
    assert.deepEqual(log, ['failure ECONNRESET']);
  });

  test('ends the request, and tells nobody, when the client leaves before the answer', async (t) => {
    const server = createServer();
    const asked = once(server, 'request') as Promise<[IncomingMessage]>;
    const { done, leave, log, request } = await play(t, server);
    const [received] = await asked;
    const ended = once(received.socket, 'close');
    leave();
    await done;
    await ended;
    assert.equal(request.destroyed, true);
    assert.deepEqual(log, []);
  });
});
