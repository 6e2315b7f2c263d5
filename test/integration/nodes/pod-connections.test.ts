import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { after, before, test } from 'node:test';
import { http1Client, http2Client, type ApiClient } from '../../api-client.ts';
import { startCluster, type Cluster } from '../../cluster.ts';
import { addNodeWithPod, startFakeKubelet, type FakeKubelet } from './fake-kubelet.ts';
import { upgrade } from './upgrade-client.ts';

const pods = '/api/v1/namespaces/default/pods';
let cluster: Cluster;
let admin: ApiClient;
let kubelet: FakeKubelet;

before(async () => {
  cluster = await startCluster();
  admin = http2Client(cluster);
  kubelet = await startFakeKubelet(cluster);
  await addNodeWithPod(admin, 'here', kubelet.port, 'one', ['c']);
  await addNodeWithPod(admin, 'here', kubelet.port, 'two', ['c', 'd']);
});

/** An answer whose body nobody reads yet. */
function openHttp1({ url, pki }: Cluster, path: string): Promise<{ readonly body: IncomingMessage; readonly close: () => void }> {
  const file = (name: string): Buffer => readFileSync(join(pki, name));
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { agent: false, ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key') }, (body) => resolve({ body, close: () => outgoing.destroy() }));
    outgoing.on('error', reject).end();
  });
}

after(async () => {
  admin?.close();
  kubelet?.close();
  await cluster?.close();
});

test('a log is what the kubelet says, asked for with all that the client asked for', async () => {
  kubelet.answer = (_request, response) => response.writeHead(206, { 'content-type': 'application/odd' }).end('line\n');
  const { status, text, headers } = await admin.send('GET', `${pods}/two/log?container=d&previous&tailLines=%2B5&limitBytes=10&sinceTime=2024-01-02T03:04:05.6%2B01:00&timestamps=1&follow=false`);
  assert.equal(status, 200);
  assert.equal(text, 'line\n');
  assert.equal(headers['content-type'], 'text/plain');
  assert.equal(kubelet.asked.at(-1), 'GET /containerLogs/default/two/d?limitBytes=10&previous=true&sinceTime=2024-01-02T02%3A04%3A05Z&tailLines=5&timestamps=true kube-apiserver-kubelet-client');
});

test('what a kubelet refuses is a Status', async () => {
  const answers: [code: number, reason: string | undefined, message: string][] = [
    [404, 'NotFound', 'the server could not find the requested resource ( pods/log one)'],
    [400, 'BadRequest', 'because'],
    [500, 'InternalError', 'Internal error occurred: because'],
    [403, 'Forbidden', 'because ( pods/log one)'],
    [418, undefined, 'the server responded with the status code 418 but did not return more information ( pods/log one)'],
  ];
  for (const [code, reason, message] of answers) {
    kubelet.answer = (_request, response) => response.writeHead(code).end('because');
    const { status, json } = await admin.send('GET', `${pods}/one/log`);
    assert.deepEqual([status, json.kind, json.reason, json.message], [code, 'Status', reason, message]);
  }
  kubelet.answer = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end();
  const { status, json } = await admin.send('GET', `${pods}/one/log`);
  assert.deepEqual([status, json.message], [500, 'Get "/elsewhere": redirects forbidden']);
});

test('a log that is followed comes line by line, over both protocols, and its end ends the request to the kubelet', async () => {
  for (const client of [admin, http1Client(cluster)]) {
    const begun = new Promise<[IncomingMessage, ServerResponse]>((resolve) => (kubelet.answer = (request, response) => resolve([request, response])));
    const opening = client.open(`${pods}/one/log?follow=true`);
    const [, response] = await begun;
    response.writeHead(200).write('first\n');
    const log = await opening;
    assert.deepEqual(await log.until(1), ['first']);
    response.write('second\n');
    assert.deepEqual(await log.until(2), ['first', 'second']);
    const gone = once(response, 'close');
    log.close();
    await gone;
  }
});

test('a client that does not read holds the kubelet back', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const chunks = 40;
  let finished = false;
  kubelet.answer = (_request, response) => {
    for (let count = 0; count < chunks; count++) response.write(chunk);
    response.end(() => (finished = true));
  };
  const { body, close } = await openHttp1(cluster, `${pods}/one/log`);
  // Much more than what lies between the two; the others are served all the while.
  for (let count = 0; count < 20; count++) assert.equal((await admin.send('GET', `${pods}/one`)).status, 200);
  assert.equal(finished, false);
  let size = 0;
  for await (const part of body) size += (part as Buffer).length;
  assert.equal(size, chunks * chunk.length);
  close();
});

const spdy = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };

/** What a kubelet says that speaks SPDY, or anything that looks so. */
function accept(socket: Duplex): void {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n');
}

test('SPDY goes to the kubelet and back as it is, and either end ends the other', async () => {
  for (const [subresource, asked] of [
    ['exec?command=a&command=b+c&stdin=1&stdout&stderr=0&tty=true', '/exec/default/one/c?command=a&command=b+c&input=1&output=1&tty=1'],
    ['attach?stderr=true&container=c', '/attach/default/one/c?error=1'],
    ['portforward?ports=80,81&ports=82', '/portForward/default/one?port=80%2C81%2C82'],
  ]) {
    const begun = new Promise<Duplex>((resolve) => (kubelet.upgrade = (_request, socket) => {
      accept(socket);
      resolve(socket);
    }));
    const { response, socket } = await upgrade(cluster, 'POST', `${pods}/one/${subresource}`, spdy);
    assert.equal(response.headers['x-stream-protocol-version'], 'v4.channel.k8s.io');
    assert.equal(kubelet.asked.at(-1), `POST ${asked} kube-apiserver-kubelet-client`);
    const other = await begun;
    other.pipe(other);
    const sent = randomBytes(3_000_000);
    socket?.write(sent);
    const got: Buffer[] = [];
    let size = 0;
    for await (const chunk of socket ?? []) {
      got.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= sent.length) break;
    }
    assert.ok(Buffer.concat(got).equals(sent));
    // Leaving the loop ends the client's end.
    if (!other.destroyed) await once(other, 'close');
  }
});

test('what the kubelet writes before it ends reaches a client that reads late', async () => {
  const sent = randomBytes(8_000_000);
  kubelet.upgrade = (_request, socket) => {
    accept(socket);
    socket.end(sent);
  };
  const { socket, head } = await upgrade(cluster, 'POST', `${pods}/one/exec?stdout=1&command=x`, spdy);
  for (let count = 0; count < 5; count++) await admin.send('GET', `${pods}/one`);
  const chunks = [head];
  for await (const chunk of socket ?? []) chunks.push(chunk as Buffer);
  assert.equal(Buffer.concat(chunks).length, sent.length);
});

test('what is no upgrade, or refused, is told', async () => {
  kubelet.upgrade = (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/odd\r\nContent-Length: 2\r\n\r\nno');
  const refused = await upgrade(cluster, 'POST', `${pods}/one/exec?stdout=1&command=x`, spdy);
  assert.deepEqual([refused.response.statusCode, refused.response.headers['content-type']], [403, 'text/odd']);
  refused.response.resume();
  const plain = await admin.send('POST', `${pods}/one/exec?stdout=1&command=x`);
  assert.deepEqual([plain.status, plain.json.message], [400, 'Upgrade request required']);
});
