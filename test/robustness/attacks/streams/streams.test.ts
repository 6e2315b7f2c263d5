import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { http2Client, type ApiClient } from '#test/api-client.ts';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { ChannelsClient } from '#test/integration/nodes/channels-client.ts';
import { addNodeWithPod, startFakeKubelet, type FakeKubelet } from '#test/integration/nodes/fake-kubelet.ts';
import { FakeSpdy } from '#test/integration/nodes/fake-spdy.ts';
import { upgrade, type Upgraded } from '#test/integration/nodes/upgrade-client.ts';
import { processMemoryMiB } from '#test/robustness/hostile/process-memory.ts';
import { exec, masked, openStreams, pods, spdy, taken, tunnel, until, v5 } from './stream-requests.ts';

const growthMiB = 64;
let cluster: Cluster;
let admin: ApiClient;
let kubelet: FakeKubelet;

before(async () => {
  cluster = await startCluster();
  admin = http2Client(cluster);
  kubelet = await startFakeKubelet(cluster);
  await addNodeWithPod(admin, 'here', kubelet.port, 'one', ['c']);
});

after(async () => {
  admin?.close();
  kubelet?.close();
  await cluster?.close();
});

/** Others are served, and nothing is left open to the kubelet but what is kept for the next request. */
afterEach(async () => {
  assert.equal((await admin.send('GET', `${pods}/one`)).status, 200);
  await until(() => openStreams.size === 0, 'a connection to the kubelet stays');
});

/** What the client of a terminal is told at the end. */
async function outcome(): Promise<string> {
  const client = new ChannelsClient(cluster, exec, 'v5.channel.k8s.io');
  await client.until(() => client.closed);
  const finalStatus = String(client.of(3));
  await client.close();
  return finalStatus;
}

async function refusal(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const { response, socket } = await upgrade(cluster, 'GET', path, headers);
  assert.equal(socket, undefined);
  return { status: response.statusCode ?? 0, text: Buffer.concat((await response.toArray()) as Buffer[]).toString() };
}

/** Memory of gateway and core while the work is done, beyond that before. */
async function growth(work: () => Promise<void>): Promise<number> {
  const pids = (['gateway', 'core'] as const).map((name) => processOf(cluster, name) ?? 0);
  const now = (): number[] => pids.map(processMemoryMiB);
  const begun = now();
  let most = 0;
  const timer = setInterval(() => {
    for (const [at, value] of now().entries()) most = Math.max(most, value - (begun[at] ?? 0));
  }, 50);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return most;
}

describe('streams to kubelets', () => {
  test('report an error when the kubelet answers 101 without upgrading', async () => {
    kubelet.answer = (incoming) => void incoming.socket.write('HTTP/1.1 101 Switching Protocols\r\nX-Own: 1\r\n\r\n');
    kubelet.upgrade = (_asked, socket) =>
      void taken(socket).write('HTTP/1.1 101 Switching Protocols\r\nX-Own: 1\r\n\r\n');
    assert.match((await refusal(exec, spdy)).text, /invalid upgrade response: status code 101/);
    assert.match(
      (await refusal(`${pods}/one/portforward?ports=80`, tunnel)).text,
      /invalid upgrade response: status code 101/,
    );
    assert.match(await outcome(), /unable to upgrade connection: empty server response/);
    assert.equal((await admin.send('GET', `${pods}/one/log`)).status, 500);
  });

  test('end with 500 and bounded memory when the headers of the kubelet never end', async () => {
    const endless = (socket: Duplex): void => {
      taken(socket).write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write('X-More: more\r\n'.repeat(1000)));
      };
      socket.on('drain', more);
      more();
    };
    kubelet.answer = (incoming) => endless(incoming.socket);
    kubelet.upgrade = (_asked, socket) => endless(socket);
    assert.ok(
      (await growth(async () => {
        assert.equal((await refusal(exec, spdy)).status, 500);
        assert.match(await outcome(), /InternalError/);
        assert.equal((await admin.send('GET', `${pods}/one/log`)).status, 500);
      })) < growthMiB,
    );
  });

  test('close the kubelet connection when the client leaves before an answer', async () => {
    kubelet.upgrade = (_asked, socket) => void taken(socket);
    for (const headers of [spdy, v5]) {
      const leaving = request(cluster.url + exec, {
        ...files(),
        agent: false,
        headers: { connection: 'Upgrade', ...headers },
      });
      const left = Promise.withResolvers<Duplex>();
      leaving
        .on('error', () => undefined)
        .on('upgrade', (_answer, socket) => left.resolve(socket.on('error', () => undefined)));
      leaving.end();
      await until(() => openStreams.size === 1, 'the kubelet was not asked');
      if (headers === v5) (await left.promise).destroy();
      else leaving.destroy();
      await until(() => openStreams.size === 0, 'the kubelet is still asked', 5_000);
      await pause(50);
    }
  });

  function files(): { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer } {
    const file = (name: string): Buffer => readFileSync(join(cluster.pki, name));
    return { ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key') };
  }

  test('refuse redirects of the kubelet', async () => {
    kubelet.upgrade = (_asked, socket) =>
      void taken(socket).end('HTTP/1.1 302 Found\r\nLocation: https://169.254.169.254/\r\nContent-Length: 0\r\n\r\n');
    kubelet.answer = (_incoming, response) =>
      void response.writeHead(302, { location: 'https://169.254.169.254/' }).end();
    assert.match((await refusal(exec, spdy)).text, /status code 302/);
    assert.match(await outcome(), /redirect not allowed/);
    assert.match((await admin.send('GET', `${pods}/one/log`)).text, /redirects forbidden/);
  });

  test('stop reading an error body of a gigabyte from the kubelet', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const sent = { bytes: 0 };
    const pour = (stream: Duplex | ServerResponse): void => {
      const more = (): void => {
        while (sent.bytes < 1024 * piece.length && !stream.destroyed) {
          sent.bytes += piece.length;
          if (!stream.write(piece)) return;
        }
        stream.end();
      };
      stream.on('drain', more);
      more();
    };
    kubelet.answer = (_incoming, response) => pour(response.writeHead(500));
    kubelet.upgrade = (_asked, socket) => {
      taken(socket).write('HTTP/1.1 500 Internal Server Error\r\n\r\n');
      pour(socket);
    };
    assert.ok(
      (await growth(async () => {
        assert.ok((await outcome()).length < 200_000);
        assert.ok((await admin.send('GET', `${pods}/one/log`)).text.length < 200_000);
      })) < growthMiB,
    );
    assert.ok(sent.bytes < 100 * piece.length, `${sent.bytes} bytes were taken`);
  });

  test('end with a status when the kubelet sends invalid SPDY frames', async () => {
    const head =
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n';
    const goAway = Buffer.from([0x80, 3, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]);
    const ping = Buffer.from([0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 2]);
    const broken = [
      Buffer.from('no frames at all\r\n'.repeat(1000)),
      Buffer.alloc(100_000, 0xff),
      Buffer.alloc(100_000),
      Buffer.from([0x80, 3, 0, 2, 0, 0xff, 0xff, 0xff]),
      Buffer.alloc(1_600_000, goAway),
      Buffer.alloc(1_200_000, ping),
    ];
    for (const bytes of broken) {
      kubelet.upgrade = (_asked, socket) => {
        taken(socket).write(head);
        socket.end(bytes);
      };
      assert.ok(
        (await growth(async () => assert.match(await outcome(), /"status":"(?:Failure|Success)"/))) < growthMiB,
      );
      await until(() => openStreams.size === 0, 'a connection to the kubelet stays');
    }
  });

  /** A terminal or tunnel by WebSocket, frame by frame. */
  async function opened(
    path: string,
    headers: Readonly<Record<string, string>>,
    played: (socket: Duplex) => void,
  ): Promise<Upgraded & { readonly socket: Duplex }> {
    kubelet.upgrade = (_asked, socket) => played(taken(socket));
    const client = await upgrade(cluster, 'GET', path, headers);
    if (client.socket === undefined) throw new Error(`${client.response.statusCode}`);
    return { ...client, socket: client.socket };
  }

  test('close with the right code when the client sends invalid WebSocket frames', async () => {
    const broken: [name: string, frame: Buffer, code: number][] = [
      ['unmasked', Buffer.from([0x82, 1, 0]), 1002],
      ['a terabyte', Buffer.from([0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1009],
      ['of an extension', Buffer.from([0xc2, 0x80, 0, 0, 0, 0]), 1002],
      ['a long ping', Buffer.from([0x89, 0xfe, 1, 0, 0, 0, 0, 0]), 1002],
      ['a continuation of nothing', Buffer.from([0x80, 0x80, 0, 0, 0, 0]), 1002],
    ];
    for (const [path, headers, play] of [
      [exec, v5, (socket: Duplex) => void new FakeSpdy(socket, 'v4.channel.k8s.io')],
      [
        `${pods}/one/portforward?ports=80`,
        tunnel,
        (socket: Duplex) =>
          void socket.write(
            'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: portforward.k8s.io\r\n\r\n',
          ),
      ],
    ] as const) {
      for (const [name, frame, code] of broken) {
        const { socket, head } = await opened(path, headers, play);
        socket.write(frame);
        const seen = Buffer.concat([head, ...((await socket.toArray()) as Buffer[])]);
        assert.deepEqual([...seen.subarray(-4)], [0x88, 2, code >> 8, code & 0xff], name);
        socket.destroy();
        await until(() => openStreams.size === 0, `${name}: the kubelet's connection stays`);
      }
    }
  });

  test('bound memory for 10,000 tunneled streams and for a client that sends without reading', async () => {
    let received = 0;
    let resumeLater = (): void => undefined;
    const opens = Buffer.concat(
      Array.from({ length: 10_000 }, (_, at) => {
        const frame = Buffer.from([0x80, 3, 0, 1, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        frame.writeUInt32BE(at * 2 + 1, 8);
        return frame;
      }),
    );
    const most = await growth(async () => {
      const { socket } = await opened(`${pods}/one/portforward?ports=80`, tunnel, (other) => {
        other.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: portforward.k8s.io\r\n\r\n',
        );
        other.on('data', (chunk: Buffer) => (received += chunk.length));
      });
      socket.write(masked(0x82, opens));
      await until(() => received === opens.length, 'the kubelet does not get the streams');
      socket.destroy();
      await until(() => openStreams.size === 0, 'the tunnel stays');
      const piece = masked(0x82, Buffer.alloc(1024 * 1024));
      const pouring = await opened(exec, v5, (other) => {
        // It takes the streams, and reads no more.
        const played = new FakeSpdy(other, 'v4.channel.k8s.io');
        void played.until(() => played.streams.size === 3).then(() => other.pause());
        resumeLater = () => other.resume();
      });
      pouring.socket.pause();
      let isFull = false;
      for (let count = 0; count < 300 && !isFull; count++) {
        if (!pouring.socket.write(piece))
          isFull = !(await Promise.race([
            new Promise((resolve) => pouring.socket.once('drain', () => resolve(true))),
            pause(2000, false),
          ]));
      }
      assert.ok(isFull, 'nobody holds the client back');
      pouring.socket.destroy();
      resumeLater();
    });
    assert.ok(most < growthMiB, `${most} MiB`);
  });
});
