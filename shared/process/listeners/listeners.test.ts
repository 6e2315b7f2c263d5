import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect as connectNet } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { listenTls } from '#shared/server/http/tls-listener.ts';
import { createTestCa, type TestCa, type TestCertificate } from '#shared/server/testing/certificates.ts';
import { answerByPath, slowAnswer } from './testing/answer-by-path.ts';
import { listenUnix } from './unix-listener.ts';

let ca: TestCa;
let client: TestCertificate;
let tls: Listener;
let unix: Listener;
const folder = mkdtempSync(join(tmpdir(), 'listeners-'));

before(async () => {
  ca = await createTestCa();
  const serving = await ca.issue('CN=server');
  client = await ca.issue('CN=alice, O=dev');
  tls = await listenTls({ host: '127.0.0.1', port: 0, ...serving, clientCas: () => [ca.cert] }, answerByPath);
  unix = await listenUnix(join(folder, 'x.sock'), answerByPath);
});

after(() => {
  tls.destroy();
  unix.destroy();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

async function https(path: string, more: RequestOptions = {}, body?: string): Promise<Answer> {
  const outgoing = httpsRequest({ host: '127.0.0.1', port: tls.port, path, ca: ca.cert, agent: false, ...more });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return { status: incoming.statusCode, headers: incoming.headers, text };
}

async function http2(headers: Record<string, string | string[]>, body?: string): Promise<Answer> {
  const session = connect(`https://127.0.0.1:${tls.port}`, { ca: ca.cert, cert: client.cert, key: client.key });
  const stream = session.request(headers);
  stream.end(body);
  const [answered] = await once(stream, 'response');
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  session.close();
  return { status: Number(answered[':status']), headers: answered, text };
}

describe('public listener', () => {
  test("serves HTTP/2 and HTTP/1.1 on one port, with the client's certificate", async () => {
    const two = await http2({ ':path': '/x?a=1', 'impersonate-group': ['g,1', 'g2'] });
    assert.equal(two.status, 200);
    assert.deepEqual(JSON.parse(two.text), {
      version: '2.0',
      trust: 'public',
      query: 'a=1',
      groups: ['g,1', 'g2'],
      cn: 'alice',
    });
    assert.equal(two.headers['content-type'], 'application/json');
    const one = await https('/x', {
      cert: client.cert,
      key: client.key,
      headers: { 'impersonate-group': ['g,1', 'g2'] },
    });
    assert.deepEqual(JSON.parse(one.text), {
      version: '1.1',
      trust: 'public',
      query: '',
      groups: ['g,1', 'g2'],
      cn: 'alice',
    });
    assert.equal(one.headers['warning'], '299 - "a", 299 - "b"');
  });

  test('answers 413 to a body over the limit, and reads one within it', async () => {
    for (const send of [
      (body: string) => http2({ ':path': '/body', ':method': 'POST' }, body),
      (body: string) => https('/body', { method: 'POST' }, body),
    ]) {
      assert.deepEqual([(await send('0123456789')).text, (await send('0123456789')).status], ['0123456789', 200]);
      assert.equal((await send('x'.repeat(100_000))).status, 413);
    }
  });

  test('answers 431 to headers over 1 MiB', async () => {
    const big = 'x'.repeat(16_000);
    const headers = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`x-${at}`, big]));
    assert.equal((await https('/x', { headers })).status, 431);
  });

  test('streams answers, and sends none to HEAD', async () => {
    assert.equal((await http2({ ':path': '/stream' })).text, 'a');
    assert.equal((await https('/stream')).text, 'a');
    assert.deepEqual((await http2({ ':path': '/x', ':method': 'HEAD' })).text, '');
  });
});

describe('Unix socket listener', () => {
  test('marks requests as internal and accepts upgrades', async () => {
    const outgoing = httpRequest({ socketPath: unix.path, path: '/x', agent: false });
    outgoing.end();
    const [incoming] = await once(outgoing, 'response');
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    assert.equal(JSON.parse(text).trust, 'internal');
    const upgrading = httpRequest({
      socketPath: unix.path,
      path: '/upgrade',
      agent: false,
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    });
    upgrading.end();
    const [, socket, head] = await once(upgrading, 'upgrade');
    let rest = String(head);
    for await (const chunk of socket) rest += String(chunk);
    assert.equal(rest, 'hello');
  });
});

describe('responses of a listener', () => {
  test('break off an aborted answer visibly on HTTP/2 and HTTP/1.1', async () => {
    const session = connect(`https://127.0.0.1:${tls.port}`, { ca: ca.cert });
    const stream = session.request({ ':path': '/broken' });
    stream.on('error', () => undefined).resume();
    await new Promise((resolve) => stream.once('close', resolve));
    assert.notEqual(stream.rstCode, 0);
    session.destroy();
    await assert.rejects(https('/broken'), { code: 'ECONNRESET' });
  });

  test('end a streamed answer over HTTP/2 without an error', async () => {
    const session = connect(`https://127.0.0.1:${tls.port}`, { ca: ca.cert });
    const stream = session.request({ ':path': '/stream' });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    assert.equal(text, 'a');
    assert.equal(stream.rstCode, 0);
    session.destroy();
  });

  test('report drain to a writer that went on writing although told to wait', async () => {
    const { text } = await http2({ ':path': '/goes-on' });
    assert.equal(text, `${'a'.repeat(200_000)}b`);
  });

  test('send a streamed answer whole while the request body never ends', async () => {
    const session = connect(`https://127.0.0.1:${tls.port}`, { ca: ca.cert });
    const stream = session.request({ ':path': '/read-some', ':method': 'POST' });
    stream.write('{');
    let read = '';
    stream.on('data', (chunk) => (read += String(chunk)));
    await Promise.all([once(stream, 'end'), once(stream, 'close')]);
    assert.deepEqual([read.length, stream.rstCode], [100_000, 0]);
    session.destroy();
  });
});

describe('HTTP/1.1 parsing of a listener', () => {
  test('passes an unknown method to the handler, with body and certificate', async () => {
    const request = httpsRequest({
      host: '127.0.0.1',
      port: tls.port,
      path: '/method',
      method: 'FOO',
      ca: ca.cert,
      ...client,
    });
    request.end('{}');
    const [response] = await once(request, 'response');
    assert.equal(response.statusCode, 200);
    assert.deepEqual(await json(response), { method: 'FOO', cn: 'alice', body: '{}' });
  });

  test('answers 400 to bytes that are no request', async () => {
    const socket = connectTls({ host: '127.0.0.1', port: tls.port, ca: ca.cert });
    socket.end('FOO(/ HTTP/1.1\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  test("answers with Go's status and text to requests that Go refuses before any handler", async () => {
    const sent: readonly (readonly [request: string, status: string])[] = [
      ['GET / HTTP/1.1\r\n', '400 Bad Request: missing required Host header'],
      ['GET / HTTP/1.1\r\nHost: a b\r\n', '400 Bad Request: malformed Host header'],
      ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n', '400 Bad Request'],
      ['GET / HTTP/2.0\r\nHost: a\r\n', '505 HTTP Version Not Supported: unsupported protocol version'],
    ];
    for (const [head, status] of sent) {
      const answered = await exchangeText(`${head}\r\n`);
      assert.ok(answered.startsWith(`HTTP/1.1 ${status}\r\n`), answered);
      assert.ok(answered.endsWith(`\r\n\r\n${status}`), answered);
    }
    assert.match(await exchangeText('GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 OK\r\n/);
  });

  test("answers plain HTTP on the TLS port with Go's text, and other bytes with nothing", async () => {
    const plain = async (bytes: string): Promise<string> => {
      const socket = connectNet({ host: '127.0.0.1', port: tls.port });
      socket.on('error', () => undefined).write(bytes);
      return text(socket).catch(() => '');
    };
    // As the reference answers them.
    const refusal = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';
    for (const line of [
      'GET / HTTP/1.1\r\n',
      'HEAD / HTTP/1.1\r\n',
      'POST /x HTTP/1.1\r\n',
      'PUT /x HTTP/1.1\r\n',
      'OPTIONS * HTTP/1.1\r\n',
      'GET /',
    ])
      assert.equal(await plain(line), refusal, line);
    for (const line of [
      'hello there\r\n',
      'DELETE /x HTTP/1.1\r\n',
      'PATCH /x HTTP/1.1\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'get / HTTP/1.1\r\n',
    ])
      assert.equal(await plain(line), '', line);
  });
});

describe('connections of a listener', () => {
  test('survive a TLS handshake whose first bytes arrive one by one', async () => {
    const socket = connectNet({ host: '127.0.0.1', port: tls.port }).setNoDelay(true);
    const slow = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, done) {
        const [head, rest] = [chunk.subarray(0, 3), chunk.subarray(3)];
        socket.write(head);
        setTimeout(() => socket.write(rest, () => done()), 20);
      },
    });
    socket.on('data', (chunk) => slow.push(chunk));
    const secured = connectTls({ socket: slow, ca: ca.cert, host: '127.0.0.1' });
    secured.write('GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [chunk] = (await once(secured, 'data')) as [Buffer];
    assert.match(String(chunk), /^HTTP\/1\.1 200 OK/);
    secured.destroy();
    socket.destroy();
  });

  test('end over HTTP/2 after an answer with Connection: close, once the other streams have ended', async () => {
    const session = connect(`https://127.0.0.1:${tls.port}`, { ca: ca.cert });
    const slow = session.request({ ':path': '/slow' });
    await once(slow, 'response');
    const last = session.request({ ':path': '/last' });
    last.resume();
    await Promise.all([once(session, 'goaway'), once(last, 'end')]);
    assert.equal(session.destroyed, false);
    slow.on('data', () => slow.end());
    slowAnswer.finish?.();
    await Promise.all([once(slow, 'end'), once(session, 'close')]);
  });
});

describe('CONNECT', () => {
  test('reaches the handler like other methods', async () => {
    assert.match(
      await exchangeText('CONNECT /method HTTP/1.1\r\nHost: a\r\n\r\n'),
      /^HTTP\/1\.1 200 OK\r\n[^]*"method":"CONNECT"/,
    );
  });
});

async function exchangeText(request: string): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port: tls.port, ca: ca.cert });
  socket.end(request);
  return text(socket);
}
