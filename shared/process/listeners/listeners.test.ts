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
import { after, before, test } from 'node:test';
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

test('HTTP/2 and HTTP/1.1 share one port, and the certificate of the client is seen', async () => {
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

test('a body over the limit is refused with 413, one within it is read', async () => {
  for (const send of [
    (body: string) => http2({ ':path': '/body', ':method': 'POST' }, body),
    (body: string) => https('/body', { method: 'POST' }, body),
  ]) {
    assert.deepEqual([(await send('0123456789')).text, (await send('0123456789')).status], ['0123456789', 200]);
    assert.equal((await send('x'.repeat(100_000))).status, 413);
  }
});

test('headers over 1 MiB are refused with 431', async () => {
  const big = 'x'.repeat(16_000);
  const headers = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`x-${at}`, big]));
  assert.equal((await https('/x', { headers })).status, 431);
});

test('answers are streamed and HEAD has no body', async () => {
  assert.equal((await http2({ ':path': '/stream' })).text, 'a');
  assert.equal((await https('/stream')).text, 'a');
  assert.deepEqual((await http2({ ':path': '/x', ':method': 'HEAD' })).text, '');
});

test('the Unix socket is the internal listener and takes upgrades', async () => {
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

test('an answer that is aborted does not look whole to the client, on either protocol', async () => {
  const session = connect(`https://127.0.0.1:${tls.port}`, { ca: ca.cert });
  const stream = session.request({ ':path': '/broken' });
  stream.on('error', () => undefined).resume();
  await new Promise((resolve) => stream.once('close', resolve));
  assert.notEqual(stream.rstCode, 0);
  session.destroy();
  await assert.rejects(https('/broken'), { code: 'ECONNRESET' });
});

test('an answer in pieces ends in order over HTTP/2', async () => {
  const session = connect(`https://127.0.0.1:${tls.port}`, { ca: ca.cert });
  const stream = session.request({ ':path': '/stream' });
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  assert.equal(text, 'a');
  assert.equal(stream.rstCode, 0);
  session.destroy();
});

test('a writer that goes on although it was told to wait is told of room', async () => {
  const { text } = await http2({ ':path': '/goes-on' });
  assert.equal(text, `${'a'.repeat(200_000)}b`);
});

test('an answer in pieces is whole where the body of its request never comes to an end', async () => {
  const session = connect(`https://127.0.0.1:${tls.port}`, { ca: ca.cert });
  const stream = session.request({ ':path': '/read-some', ':method': 'POST' });
  stream.write('{');
  let read = '';
  stream.on('data', (chunk) => (read += String(chunk)));
  await Promise.all([once(stream, 'end'), once(stream, 'close')]);
  assert.deepEqual([read.length, stream.rstCode], [100_000, 0]);
  session.destroy();
});

test('a method that the parser does not know reaches the handler over HTTP/1.1, with its body and certificate', async () => {
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

test('what is no request is refused', async () => {
  const socket = connectTls({ host: '127.0.0.1', port: tls.port, ca: ca.cert });
  socket.end('FOO(/ HTTP/1.1\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('what Go refuses before any handler is refused with its words', async () => {
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

test("HTTP without TLS is told so in Go's words, and other bytes are not", async () => {
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

test('a handshake whose first bytes come one by one succeeds', async () => {
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

test('an answer with Connection: close ends an HTTP/2 connection when all that is under way on it has ended', async () => {
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

test('CONNECT is a request like others', async () => {
  assert.match(
    await exchangeText('CONNECT /method HTTP/1.1\r\nHost: a\r\n\r\n'),
    /^HTTP\/1\.1 200 OK\r\n[^]*"method":"CONNECT"/,
  );
});

async function exchangeText(request: string): Promise<string> {
  const socket = connectTls({ host: '127.0.0.1', port: tls.port, ca: ca.cert });
  socket.end(request);
  return text(socket);
}
