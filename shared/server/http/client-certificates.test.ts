import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectNet, createServer, type AddressInfo, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { createTestCa, type TestCa } from '#shared/server/testing/certificates.ts';
import { offeredAuthorities } from './offered-authorities.ts';
import { listenTls } from './tls-listener.ts';

let ca: TestCa;
let namesake: TestCa;
let server: Listener;
let relay: Server;

before(async () => {
  [ca, namesake] = [await createTestCa('CN=twins'), await createTestCa('CN=twins')];
  server = await listenTls(
    { host: '127.0.0.1', port: 0, ...(await ca.issue('CN=server')), clientCas: () => [namesake.cert, ca.cert] },
    (exchange) => {
      exchange.send(200, {}, (exchange.peerCertificates() ?? []).map((der) => new X509Certificate(der).subject).join());
    },
  );
  // Passes on what clients send in pieces of a few bytes: the end of a handshake seldom comes with its certificates
  // over a real network.
  relay = createServer((client) => {
    const upstream = connectNet(server.port, '127.0.0.1')
      .setNoDelay(true)
      .on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    void (async () => {
      for await (const chunk of client as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length; at += 40) {
          upstream.write(chunk.subarray(at, at + 40));
          await turn();
        }
      }
      upstream.end();
    })().catch(() => undefined);
    upstream.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
});
after(() => {
  relay.close();
  server.destroy();
});

/** What the server says over HTTP/2 that it was sent. */
async function seen(options: ConnectionOptions, port: number): Promise<string> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, ...options });
  try {
    const stream = session.request({ ':path': '/' });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  } finally {
    session.destroy();
  }
}

describe('TLS listener with client authorities', () => {
  test(
    'accepts a client whose authority shares its subject with another, however its handshake is split',
    { timeout: 20_000 },
    async () => {
      const client = await ca.issue('CN=alice');
      for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
        for (const port of [server.port, (relay.address() as AddressInfo).port])
          assert.equal(await seen({ ...client, maxVersion }, port), 'CN=alice', `${maxVersion} ${port}`);
      }
    },
  );
});

describe('offeredAuthorities', () => {
  test('keeps the subjects of the authorities but not their keys', async () => {
    const client = new X509Certificate((await ca.issue('CN=alice')).cert);
    const offered = offeredAuthorities([`${ca.cert}\n${namesake.cert}`, Buffer.from('no certificate')]);
    assert.deepEqual(
      offered.map((pem) => new X509Certificate(pem).subject),
      ['CN=twins', 'CN=twins'],
    );
    for (const pem of offered) assert.equal(client.checkIssued(new X509Certificate(pem)), false);
  });
});

describe('TLS session resumption', () => {
  test('gives a resumed connection the identity of its own certificate, or none', async () => {
    const [alice, bob] = [await ca.issue('CN=alice'), await ca.issue('CN=bob')];
    for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
      const first = connectTls({
        port: server.port,
        rejectUnauthorized: false,
        maxVersion,
        ALPNProtocols: ['http/1.1'],
        ...alice,
      });
      let session: Buffer | undefined;
      first.on('session', (ticket: Buffer) => (session = ticket));
      first.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      for await (const _chunk of first) continue;
      session ??= first.getSession();
      assert.ok(session);
      for (const [credentials, cn] of [
        [{}, ''],
        [bob, 'CN=bob'],
        [alice, 'CN=alice'],
      ] as const) {
        assert.equal(await seen({ ...credentials, session, maxVersion }, server.port), cn, maxVersion);
      }
    }
  });
});
