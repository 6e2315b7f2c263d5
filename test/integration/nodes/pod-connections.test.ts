import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { startAnyCluster, type AnyCluster } from '#test/any-cluster.ts';
import { http1Client, http2Client, type ApiClient } from '#test/api-client.ts';
import { ChannelsClient } from './channels-client.ts';
import { addNodeWithPod, startFakeKubelet, type FakeKubelet } from './fake-kubelet.ts';
import { FakeSpdy } from './fake-spdy.ts';
import { openUnread } from './unread-answer.ts';
import { upgrade } from './upgrade-client.ts';

const pods = '/api/v1/namespaces/default/pods';
let cluster: AnyCluster;
let admin: ApiClient;
let kubelet: FakeKubelet;

before(async () => {
  cluster = await startAnyCluster();
  admin = http2Client(cluster);
  kubelet = await startFakeKubelet(cluster);
  await addNodeWithPod(admin, 'here', kubelet.port, 'one', ['c']);
  await addNodeWithPod(admin, 'here', kubelet.port, 'two', ['c', 'd']);
});

after(async () => {
  admin?.close();
  kubelet?.close();
  await cluster?.close();
});

describe('pod logs', () => {
  test('ask the kubelet with every parameter of the client, and return its text', async () => {
    kubelet.answer = (_request, response) =>
      response.writeHead(206, { 'content-type': 'application/odd' }).end('line\n');
    const { status, text, headers } = await admin.send(
      'GET',
      `${pods}/two/log?container=d&previous&tailLines=%2B5&limitBytes=10&sinceTime=2024-01-02T03:04:05.6%2B01:00&timestamps=1&follow=false`,
    );
    assert.equal(status, 200);
    assert.equal(text, 'line\n');
    assert.equal(headers['content-type'], 'text/plain');
    assert.equal(
      kubelet.asked.at(-1),
      'GET /containerLogs/default/two/d?limitBytes=10&previous=true&sinceTime=2024-01-02T02%3A04%3A05Z&tailLines=5&timestamps=true kube-apiserver-kubelet-client',
    );
  });

  test('answer a refusal of the kubelet with a Status', async () => {
    const answers: [code: number, reason: string | undefined, message: string][] = [
      [404, 'NotFound', 'the server could not find the requested resource ( pods/log one)'],
      [400, 'BadRequest', 'because'],
      [500, 'InternalError', 'Internal error occurred: because'],
      [403, 'Forbidden', 'because ( pods/log one)'],
      [
        418,
        undefined,
        'the server responded with the status code 418 but did not return more information ( pods/log one)',
      ],
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

  test('are followed line by line, and abort at the kubelet when the client leaves', async () => {
    for (const client of [admin, http1Client(cluster)]) {
      const begun = new Promise<[IncomingMessage, ServerResponse]>(
        (resolve) => (kubelet.answer = (request, response) => resolve([request, response])),
      );
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

  test('stop the kubelet from writing while the client does not read', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const chunks = 40;
    let finished = false;
    kubelet.answer = (_request, response) => {
      for (let count = 0; count < chunks; count++) response.write(chunk);
      response.end(() => (finished = true));
    };
    const { body, close } = await openUnread(cluster, `${pods}/one/log`);
    // Much more than what lies between the two; the others are served all the while.
    for (let count = 0; count < 20; count++) assert.equal((await admin.send('GET', `${pods}/one`)).status, 200);
    assert.equal(finished, false);
    let size = 0;
    for await (const part of body) size += (part as Buffer).length;
    assert.equal(size, chunks * chunk.length);
    close();
  });
});

const spdy = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };

/** What a kubelet says that speaks SPDY, or anything that looks so. */
function accept(socket: Duplex): void {
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n',
  );
}

describe('exec, attach and portforward over SPDY', () => {
  test('pass bytes unchanged in both directions, and close together', async () => {
    for (const [subresource, asked] of [
      [
        'exec?command=a&command=b+c&stdin=1&stdout&stderr=0&tty=true',
        '/exec/default/one/c?command=a&command=b+c&input=1&output=1&tty=1',
      ],
      ['attach?stderr=true&container=c', '/attach/default/one/c?error=1'],
      ['portforward?ports=80,81&ports=82', '/portForward/default/one?port=80%2C81%2C82'],
    ]) {
      const begun = new Promise<Duplex>(
        (resolve) =>
          (kubelet.upgrade = (_request, socket) => {
            accept(socket);
            resolve(socket);
          }),
      );
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

  test('deliver what the kubelet wrote before its end to a slow client', async () => {
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

  test('answer 400 without an upgrade, and pass a refusal of the kubelet on', async () => {
    kubelet.upgrade = (_request, socket) =>
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/odd\r\nContent-Length: 2\r\n\r\nno');
    const refused = await upgrade(cluster, 'POST', `${pods}/one/exec?stdout=1&command=x`, spdy);
    assert.deepEqual([refused.response.statusCode, refused.response.headers['content-type']], [403, 'text/odd']);
    refused.response.resume();
    const plain = await admin.send('POST', `${pods}/one/exec?stdout=1&command=x`);
    assert.deepEqual([plain.status, plain.json.message], [400, 'Upgrade request required']);
  });
});

/** A terminal by WebSocket, and the streams that the kubelet gets for it. */
async function terminal(
  query: string,
  protocol = 'v4.channel.k8s.io',
): Promise<{ readonly client: ChannelsClient; readonly spdy: FakeSpdy; readonly socket: Duplex }> {
  const begun = new Promise<{ spdy: FakeSpdy; socket: Duplex }>(
    (resolve) => (kubelet.upgrade = (_request, socket) => resolve({ spdy: new FakeSpdy(socket, protocol), socket })),
  );
  const client = new ChannelsClient(cluster, `${pods}/one/exec?${query}`, 'v5.channel.k8s.io');
  const served = await begun;
  await client.until(() => client.opened || client.closed);
  return { client, ...served };
}

describe('exec over a WebSocket', () => {
  test('maps channels to the SPDY streams of the kubelet', async () => {
    const { client, spdy: served } = await terminal('command=x&stdin=1&stdout=1&stderr=1');
    const input = randomBytes(2_000_000);
    client.send(0, input);
    client.send(255, Buffer.from([0]));
    await served.until(() => served.streams.get('stdin')?.ended === true);
    assert.ok(served.streams.get('stdin')?.received.equals(input));
    assert.deepEqual([...served.streams.keys()], ['error', 'stdin', 'stdout', 'stderr']);
    const output = randomBytes(2_000_000);
    served.streams.get('stdout')?.send(output, true);
    served.streams.get('stderr')?.send('oh', true);
    served.streams
      .get('error')
      ?.send(
        '{"metadata":{},"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}',
        true,
      );
    await client.until(() => client.closed);
    assert.ok(client.of(1)?.equals(output));
    assert.equal(String(client.of(2)), 'oh');
    assert.equal(
      String(client.of(3)),
      '{"metadata":{},"status":"Failure","message":"command terminated with non-zero exit code: command terminated with exit code 3","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}',
    );
    await client.close();
  });

  test('merges stderr into stdout for a terminal, and passes its sizes on', async () => {
    const { client, spdy: served } = await terminal('command=x&stdout=1&stderr=1&tty=1');
    await client.until(() => client.of(1) !== undefined);
    client.send(4, '{"Width":80,"Hei');
    client.send(4, 'ght":24}');
    await served.until(() => (served.streams.get('resize')?.received.length ?? 0) > 0);
    assert.equal(String(served.streams.get('resize')?.received), '{"Width":80,"Height":24}\n');
    assert.deepEqual([...served.streams.keys()], ['error', 'stdout', 'resize']);
    for (const type of ['stdout', 'error']) served.streams.get(type)?.send('', true);
    await client.until(() => client.closed);
    assert.equal(String(client.of(3)), '{"metadata":{},"status":"Success"}');
    await client.close();
  });

  test("closes the kubelet's connection with the client's, and reports a refusal on the error channel", async () => {
    const { client, socket } = await terminal('command=x&stdin=1');
    const gone = once(socket, 'close');
    await client.close();
    await gone;
    kubelet.upgrade = (_request, refused) => refused.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    const other = new ChannelsClient(cluster, `${pods}/one/exec?command=x&stdout=1`, 'v5.channel.k8s.io');
    await other.until(() => other.closed);
    assert.equal(
      String(other.of(3)),
      '{"metadata":{},"status":"Failure","message":"Internal error occurred: unable to upgrade connection: no","reason":"InternalError","details":{"causes":[{"message":"unable to upgrade connection: no"}]},"code":500}',
    );
    await other.close();
  });
});

describe('portforward over a WebSocket', () => {
  test('passes tunnelled SPDY on to the kubelet', async () => {
    kubelet.upgrade = (asked, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${String(asked.headers['x-stream-protocol-version'])}\r\n\r\n`,
      );
      socket.pipe(socket);
    };
    const handshake = {
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io',
    };
    const { response, socket } = await upgrade(cluster, 'GET', `${pods}/one/portforward?ports=80`, handshake);
    assert.equal(response.headers['sec-websocket-protocol'], 'SPDY/3.1+portforward.k8s.io');
    assert.equal(kubelet.asked.at(-1), 'POST /portForward/default/one?port=80 kube-apiserver-kubelet-client');
    // One masked message, in two frames: the echo may come in as many.
    socket?.write(Buffer.from([0x02, 0x83, 1, 1, 1, 1, 0x60, 0x63, 0x62, 0x80, 0x81, 0, 0, 0, 0, 0x64]));
    let text = '';
    let bytes = Buffer.alloc(0);
    for await (const chunk of socket ?? []) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      for (
        ;
        bytes.length >= 2 && bytes.length >= 2 + (bytes[1] as number);
        bytes = bytes.subarray(2 + (bytes[1] as number))
      )
        text += String(bytes.subarray(2, 2 + (bytes[1] as number)));
      if (text.length >= 4) break;
    }
    assert.equal(text, 'abcd');
  });
});
