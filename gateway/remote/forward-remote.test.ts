import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import { RequestState } from '#shared/server/request-state.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { forwardRemote } from './forward-remote.ts';
import type { RemoteServer } from './remote-server.ts';
import { startRemote } from './testing/remote-rig.ts';
import type { RemoteRig, Serve } from './testing/remote-rig.ts';

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-remote-'));
const cleanups: (() => void)[] = [];
after(() => {
  for (const cleanup of cleanups.toReversed()) cleanup();
  rmSync(directory, { recursive: true, force: true });
});

let serial = 0;

async function openFront(server: RemoteServer, audit?: RequestAudit): Promise<string> {
  const path = join(directory, `${serial++}.sock`);
  const front = await listenUnix(path, (exchange) => {
    const context = new RequestState(exchange);
    context.info = parseRequestInfo(exchange);
    context.user = { name: 'bob', uid: 'u1', groups: ['g1', 'g2'], extra: { scope: ['a'] } };
    context.auditId = 'audit-1';
    if (audit !== undefined) context.audit = audit;
    void forwardRemote(context, server);
  });
  cleanups.push(() => front.destroy());
  return path;
}

async function start(serve: Serve): Promise<RemoteRig & { readonly front: string }> {
  const rig = await startRemote(serve);
  cleanups.push(() => rig.close());
  return { ...rig, front: await openFront(rig.remote) };
}

function open(front: string, path: string, more: RequestOptions = {}): ClientRequest {
  return httpRequest({ socketPath: front, path, agent: false, ...more });
}

async function call(
  front: string,
  path: string,
  more: RequestOptions = {},
): Promise<{ response: IncomingMessage; text: string }> {
  const request = open(front, path, more);
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { response, text };
}

describe('forward to a registered server', () => {
  test('sends the identity that the gateway authenticated, and drops identity headers of the client', async () => {
    const { front } = await start((request, response) => {
      response.end(
        JSON.stringify({
          raw: request.rawHeaders,
          url: request.url,
          cn: (request.socket as TLSSocket).getPeerCertificate().subject.CN,
        }),
      );
    });
    const { text } = await call(front, '/apis/f.io/v1/fruits?a=b%2Fc', {
      headers: { 'x-remote-user': 'mallory', 'x-remote-extra-x': 'y', authorization: 'Bearer t', 'x-mine': '1' },
    });
    const { raw, url, cn } = JSON.parse(text) as { raw: string[]; url: string; cn: string };
    const sent = (name: string): string[] =>
      raw.filter((_text, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
    assert.equal(url, '/apis/f.io/v1/fruits?a=b%2Fc');
    assert.equal(cn, 'front-proxy-client');
    assert.deepEqual(
      [
        sent('x-remote-user'),
        sent('x-remote-uid'),
        sent('x-remote-group'),
        sent('x-remote-extra-scope'),
        sent('x-remote-extra-x'),
      ],
      [['bob'], ['u1'], ['g1', 'g2'], ['a'], []],
    );
    assert.deepEqual(
      [sent('authorization'), sent('x-mine'), sent('audit-id'), sent('x-forwarded-proto')],
      [[], ['1'], ['audit-1'], ['https']],
    );
    assert.deepEqual([sent('host').length, sent('x-quarterdeck-age-ms')], [1, []]);
  });

  test('passes informational answers of the server on', async () => {
    const { front } = await start((_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end('done');
    });
    const request = open(front, '/apis/f.io/v1/fruits');
    const informed = once(request, 'information');
    request.end();
    const [{ statusCode, headers }] = (await informed) as [{ statusCode: number; headers: Record<string, string> }];
    assert.deepEqual([statusCode, headers['link']], [103, '</a>; rel=preload']);
  });

  test('asks a client that expects 100 for its body only when the server was reached', async () => {
    const rig = await start((request, response) => void request.pipe(response));
    const asked: string[] = [];
    const post = async (front: string): Promise<number | undefined> => {
      const headers = { expect: '100-continue', 'content-length': 4 };
      const request = open(front, '/apis/f.io/v1/fruits', { method: 'POST', headers });
      request.on('continue', () => {
        asked.push(front);
        request.end('body');
      });
      request.flushHeaders();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    const unknown = await openFront(rig.view((await createTestCa()).cert));
    assert.deepEqual([await post(rig.front), await post(unknown)], [200, 503]);
    assert.deepEqual(asked, [rig.front]);
  });

  test('answers 502 to a redirect of the server, without its Location', async () => {
    const { front } = await start((_request, response) => {
      response.writeHead(302, { location: 'https://elsewhere/' }).end();
    });
    const { response, text } = await call(front, '/apis/f.io/v1/fruits');
    assert.equal(response.statusCode, 502);
    assert.equal(response.headers.location, undefined);
    assert.equal(text, 'the backend attempted to redirect this request, which is not permitted');
  });

  test('passes a redirect of the server on where the operator allows that', async () => {
    const rig = await start((_request, response) => {
      response.writeHead(302, { location: 'https://elsewhere/' }).end();
    });
    const { response } = await call(await openFront(rig.view(rig.ca.cert, true)), '/apis/f.io/v1/fruits');
    assert.equal(response.statusCode, 302);
    assert.equal(response.headers.location, 'https://elsewhere/');
  });

  test('answers 503 when the serving certificate is of another authority than the caBundle', async () => {
    const rig = await start((_request, response) => {
      response.end('secret');
    });
    const { response, text } = await call(
      await openFront(rig.view((await createTestCa('CN=other')).cert)),
      '/apis/f.io/v1/fruits',
    );
    assert.equal(response.statusCode, 503);
    assert.equal(
      text,
      'error trying to reach service: tls: failed to verify certificate: x509: certificate signed by unknown authority\n',
    );
    assert.ok(rig.failures() > 0);
  });

  test('trusts a caBundle that holds the serving certificate instead of its authority', async () => {
    const rig = await start((_request, response) => {
      response.end('known');
    });
    const { text } = await call(await openFront(rig.view(rig.serving)), '/apis/f.io/v1/fruits');
    assert.equal(text, 'known');
  });

  test('answers 500 when the caBundle holds no certificate', async () => {
    const rig = await start((_request, response) => {
      response.end('secret');
    });
    const { response, text } = await call(await openFront(rig.view('nonsense')), '/apis/f.io/v1/fruits');
    assert.deepEqual(
      [response.statusCode, text],
      [500, 'unable to load root certificates: unable to parse bytes as PEM block\n'],
    );
  });

  test('passes large bodies in both directions', async () => {
    const { front } = await start((request, response) => {
      request.pipe(response);
    });
    const request = open(front, '/apis/f.io/v1/fruits', { method: 'POST' });
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const sending = (async () => {
      for (let sent = 0; sent < 20; sent++) if (!request.write(chunk)) await once(request, 'drain');
      request.end();
    })();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let received = 0;
    for await (const part of response) received += (part as Buffer).length;
    await sending;
    assert.equal(received, 20 * chunk.length);
  });

  test('stops reading from the server while the client does not read', async () => {
    const total = 32 * 1024 * 1024;
    let written = 0;
    const { front } = await start(async (_request, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      response.writeHead(200);
      for (; written < total; written += chunk.length) if (!response.write(chunk)) await once(response, 'drain');
      response.end();
    });
    const request = open(front, '/apis/f.io/v1/fruits');
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // Until nothing moves any more.
    for (let before = -1; before !== written;) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(written < total / 2, `${written} bytes were taken from the server`);
    let received = 0;
    for await (const part of response) received += (part as Buffer).length;
    assert.equal(received, total);
  });

  test('aborts the request at the server when the client disconnects', async () => {
    const gone = Promise.withResolvers<void>();
    const { front } = await start((_request, response) => {
      response.writeHead(200).write('{}\n');
      response.on('close', () => gone.resolve());
    });
    const request = open(front, '/apis/f.io/v1/fruits?watch=1');
    request.on('error', () => undefined);
    request.end();
    await once(request, 'response');
    request.destroy();
    await gone.promise;
  });

  test('breaks the connection to the client when the server breaks off its response', async () => {
    const { front } = await start((_request, response) => {
      response.writeHead(200).write('{}\n');
      setImmediate(() => response.destroy());
    });
    await assert.rejects(call(front, '/apis/f.io/v1/fruits?watch=1'), /aborted|reset|hang up/);
  });

  test('passes on what it has of a short answer that breaks off, and does not ask again', async () => {
    let asked = 0;
    const { front } = await start((_request, response) => {
      asked++;
      response.writeHead(200, { 'content-length': 1000 }).write('{}\n');
      setImmediate(() => response.destroy());
    });
    const request = open(front, '/apis/f.io/v1/fruits');
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.deepEqual([response.statusCode, response.headers['content-length'], asked], [200, '1000', 1]);
    await assert.rejects(response.toArray(), /aborted/);
  });

  test('tells the audit how a request would end that is given up now', async () => {
    const outcomes: unknown[] = [];
    const noteIfGivenUp = (outcome: unknown): void => void outcomes.push(outcome);
    const rig = await startRemote((_request, response) => {
      response.end('done');
    });
    cleanups.push(() => rig.close());
    await call(await openFront(rig.remote, { noteIfGivenUp } as RequestAudit), '/apis/f.io/v1/fruits');
    assert.deepEqual(outcomes, [{ status: { code: 503 } }, { panic: 'net/http: abort Handler' }, undefined]);
  });

  test('joins both connections after a 101, and passes a refused upgrade on as an ordinary response', async () => {
    const { front, server } = await start((_request, response) => {
      response.writeHead(200).end();
    });
    server.on('upgrade', (request, socket) => {
      if (request.url?.endsWith('/no') === true) {
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
        return;
      }
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n');
      socket.pipe(socket);
    });
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const request = open(front, '/apis/f.io/v1/fruits', { headers });
    request.end();
    const [response, socket] = (await once(request, 'upgrade')) as [IncomingMessage, TLSSocket];
    assert.equal(response.headers.upgrade, 'websocket');
    socket.write('hello');
    assert.equal(String((await once(socket, 'data'))[0]), 'hello');
    socket.destroy();
    const refused = await call(front, '/apis/f.io/v1/no', { headers });
    assert.deepEqual([refused.response.statusCode, refused.text], [403, 'no']);
  });
});
