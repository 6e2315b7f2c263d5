import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { http1Client, http2Client } from '#test/api-client.ts';
import type { ApiClient } from '#test/api-client.ts';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';
import { bodyCases } from './body-cases.ts';
import { pathCases } from './path-cases.ts';
import { processMemoryMiB } from './process-memory.ts';
import { endsWithin, frame, http2Preface, openRaw, sendRaw, writeOn } from './raw-connection.ts';

// Whatever comes, the answer is a Status or the end of the connection; no process ends, and memory stays bounded.

const servers = ['store', 'core', 'extensions', 'gateway'] as const;
const mostMemoryMiB = 700;
const secrets = '/api/v1/secrets';

let cluster: Cluster;
let admin: ApiClient;
let processes: readonly (number | undefined)[];
before(async () => {
  cluster = await startCluster();
  admin = http1Client(cluster);
  processes = servers.map((name) => processOf(cluster, name));
});
after(async () => {
  admin.close();
  await cluster.close();
});

/** After each of the attacks. */
async function assertWell(): Promise<void> {
  const fresh = http2Client(cluster);
  assert.equal((await fresh.send('GET', '/readyz')).status, 200);
  fresh.close();
  assert.deepEqual(
    servers.map((name) => processOf(cluster, name)),
    processes,
    `a process ended: ${cluster.output()}`,
  );
  const memory = processes.map((pid) => processMemoryMiB(pid ?? 0)).reduce((sum, part) => sum + part, 0);
  assert.ok(memory < mostMemoryMiB, `${memory} MiB are in use`);
}

describe('cluster under hostile requests', () => {
  test('answers every malformed body with a Status', async () => {
    for (const { name, method, path, contentType, body, headers } of bodyCases) {
      const { status, text } = await admin.send(method, `${path}?dryRun=All`, {
        body,
        headers: { 'content-type': contentType, 'content-length': String(Buffer.byteLength(body)), ...headers },
      });
      assert.ok(status < 500, `${name}: ${status} ${text.slice(0, 300)}`);
      assert.equal((JSON.parse(text) as { kind: string }).kind, status < 300 ? 'ConfigMap' : 'Status', name);
    }
    await assertWell();
  });

  test('authorizes every spelling of a path', async () => {
    const nobody = await Promise.all(
      pathCases.map(async (path) => ({
        path,
        answer: await sendRaw(cluster.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
      })),
    );
    for (const { path, answer } of nobody) {
      assert.ok(answer.status >= 300 && answer.status < 500, `${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
      assert.doesNotMatch(answer.text, /SecretList/, path);
    }
    await assertWell();
  });

  test('ignores identity headers of clients in every spelling', async () => {
    const lines = [
      'X-Remote-User: admin',
      'x-remote-user:admin',
      'X-Remote-User : admin',
      'X_Remote_User: admin',
      ' X-Remote-User: admin',
      'A: b\r\n X-Remote-User: admin',
      'X-REMOTE-USER: admin\r\nX-Remote-User: admin',
      'X-Quarterdeck-User: admin',
      'X-Forwarded-User: admin',
      'Connection: X-Remote-User\r\nX-Remote-User: admin',
      'Upgrade: quarterdeck-hop\r\nConnection: Upgrade',
      'Impersonate-User: admin',
      'Authorization: Bearer',
      'Authorization: Bearer \x01',
      'Authorization: Basic YWRtaW46',
    ];
    for (const line of lines) {
      const { status, text } = await sendRaw(
        cluster.url,
        `GET ${secrets} HTTP/1.1\r\nHost: a\r\n${line}\r\nX-Remote-Group: system:masters\r\nConnection: close\r\n\r\n`,
      );
      assert.ok(status >= 400 && status < 500, `${JSON.stringify(line)}: ${text.slice(0, 300)}`);
    }
    const session = connectHttp2(cluster.url, { rejectUnauthorized: false });
    const stream = session.request({
      ':path': secrets,
      'x-remote-user': 'admin',
      'x-remote-group': ['system:masters', 'a'],
    });
    const [headers] = await new Promise<[{ ':status'?: number }]>((resolve) =>
      stream.on('response', (...answer) => resolve(answer as unknown as [{ ':status'?: number }])),
    );
    assert.equal(headers[':status'], 403);
    session.destroy();
    await assertWell();
  });

  test('answers 401 to a token with 9,000 unclosed nested lists', async () => {
    const claims = Buffer.from(`${'[1,'.repeat(9_000)}1.5`).toString('base64url');
    for (const token of [`a.${claims}.b`, `${claims}.${claims}.${claims}`]) {
      const { status } = await sendRaw(
        cluster.url,
        `GET /api HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(status, 401);
    }
    await assertWell();
  });

  test('keeps the sockets between its processes in a private folder', () => {
    const folder = join(cluster.dataDir, 'run');
    assert.equal(statSync(folder).mode & 0o077, 0);
    assert.ok(readdirSync(folder).length > 0);
  });

  test('refuses requests with ambiguous framing', async () => {
    const wrong = [
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x',
      'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
      'Content-Length: -1\r\n\r\n',
      'Content-Length: 1e3\r\n\r\n',
      'Transfer-Encoding: xchunked\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\nZZ\r\n',
      'Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
      'A\0: b\r\n\r\n',
      'A: b\0c\r\n\r\n',
      'A: b\nC: d\r\n\r\n',
      ': b\r\n\r\n',
    ];
    for (const rest of wrong) {
      const { status, text, closed } = await sendRaw(
        cluster.url,
        `POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\n${rest}`,
        1_500,
      );
      assert.ok(status === 0 || (status >= 400 && status < 500), `${JSON.stringify(rest)}: ${text.slice(0, 200)}`);
      // An error of the rest may follow the answer, and is then the last.
      assert.ok(closed || text.split('HTTP/1.1 ').length <= 2, `two answers to ${JSON.stringify(rest)}`);
    }
    await assertWell();
  });

  test('refuses header floods', async () => {
    const floods = [
      'a: b\r\n'.repeat(400_000),
      `a: ${'b'.repeat(3_000_000)}\r\n`,
      Array.from({ length: 100_000 }, (_, i) => `h${i}: v\r\n`).join(''),
    ];
    for (const flood of floods) {
      const { status, closed } = await sendRaw(cluster.url, `GET /healthz HTTP/1.1\r\nHost: a\r\n${flood}\r\n`);
      assert.ok(closed || status >= 400, `status ${status}`);
    }
    const line = await sendRaw(cluster.url, `GET /${'a'.repeat(3_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    assert.ok(line.closed || line.status >= 400);
    await assertWell();
  });

  test('serves others beside 300 idle and half-sent connections', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 300 }, (_, index) => openRaw(cluster.url, index % 3 === 0 ? 'h2' : 'http/1.1')),
    );
    for (const [index, socket] of sockets.entries()) {
      if (index % 3 === 1)
        socket.write(
          'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{',
        );
      if (index % 3 === 2) socket.write('GET /api HTTP/1.1\r\nHo');
    }
    await assertWell();
    for (const socket of sockets) socket.destroy();
    await assertWell();
  });

  test('serves or disconnects an HTTP/2 client that opens and resets streams', async () => {
    const socket = await openRaw(cluster.url, 'h2');
    socket.write(http2Preface);
    // GET /api/v1/secrets with literal fields that are not indexed.
    const head = Buffer.concat([
      Buffer.from([0x82, 0x87, 0x04, secrets.length]),
      Buffer.from(secrets),
      Buffer.from([0x01, 0x01, 0x61]),
    ]);
    for (let stream = 1; stream < 20_000; stream += 2) {
      if (
        !(await writeOn(
          socket,
          Buffer.concat([frame(1, 0x05, stream, head), frame(3, 0, stream, Buffer.from([0, 0, 0, 8]))]),
        ))
      )
        break;
    }
    await assertWell();
    socket.destroy();
  });

  test('ends or answers floods of CONTINUATION, SETTINGS and PING frames', async () => {
    const part = Buffer.alloc(16_000, 0x00);
    const floods: readonly (readonly [string, Buffer, Buffer])[] = [
      ['CONTINUATION', frame(1, 0x01, 1, Buffer.from([0x82])), frame(9, 0, 1, part)],
      ['empty CONTINUATION', frame(1, 0x01, 1, Buffer.from([0x82])), frame(9, 0, 1)],
      ['SETTINGS', Buffer.alloc(0), frame(4, 0, 0, Buffer.from([0, 4, 0, 1, 0, 0]))],
      ['PING', Buffer.alloc(0), frame(6, 0, 0, Buffer.alloc(8))],
      ['DATA on stream 0', Buffer.alloc(0), frame(0, 0, 0, part)],
      ['unknown', Buffer.alloc(0), frame(0xfe, 0, 0, part)],
    ];
    for (const [name, first, more] of floods) {
      const socket = await openRaw(cluster.url, 'h2');
      socket.write(Buffer.concat([http2Preface, first]));
      for (let count = 0; count < 1_000 && (await writeOn(socket, more)); count++);
      if (name.includes('CONTINUATION'))
        assert.equal(await endsWithin(socket, 5_000), true, `${name} is read without end`);
      await assertWell();
      socket.destroy();
    }
  });

  test('serves others beside an HTTP/2 client that reads nothing', async () => {
    const socket = await openRaw(cluster.url, 'h2');
    socket.pause();
    socket.write(http2Preface);
    const path = '/openapi/v2';
    const head = Buffer.concat([
      Buffer.from([0x82, 0x87, 0x04, path.length]),
      Buffer.from(path),
      Buffer.from([0x01, 0x01, 0x61]),
    ]);
    for (let stream = 1; stream < 200; stream += 2) socket.write(frame(1, 0x05, stream, head));
    await assertWell();
    socket.destroy();
  });
});
