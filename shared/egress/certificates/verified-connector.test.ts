import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { createSecureContext, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { createTestCa, type TestCertificate } from '#shared/server/testing/certificates.ts';
import { verifiedConnector, verifiedLater, type Verification } from './verified-connector.ts';
import { weaknessAnnotation, weaknessesIn, weaknessesOf, type Weakness } from './weak-certificates.ts';

const [good, weak] = await Promise.all([createTestCa('CN=good'), createTestCa('CN=weak', 'SHA-1')]);
const known = createSecureContext({ ca: [good.cert, weak.cert], allowPartialTrustChain: true });
const cleanups: (() => void)[] = [];
after(() => cleanups.forEach((cleanup) => cleanup()));

async function serverWith(certificate: TestCertificate): Promise<number> {
  const server = createServer(certificate);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  cleanups.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Connects, and closes the connection: what is outdated in its certificates. Rejects as the connector does. */
function connectTo(
  port: number,
  verification: Verification = { verifies: true },
  secureContext = known,
): Promise<readonly Weakness[]> {
  const connect = verifiedConnector(buildConnector({ secureContext, allowH2: false, ...verifiedLater }), verification);
  const host = `localhost:${port}`;
  return new Promise((resolve, reject) => {
    connect({ protocol: 'https:', hostname: 'localhost', host, port: String(port) }, (error, socket) => {
      if (error !== null) return reject(error);
      resolve(weaknessesOf(socket as TLSSocket));
      socket.destroy();
    });
  });
}

const nameless = await serverWith(await good.issue('CN=localhost', 'server', undefined, ''));
const signedWeakly = await serverWith(await weak.issue('CN=localhost', 'server'));
const both = await serverWith(await weak.issue('CN=localhost', 'server', undefined, ''));
const fine = await serverWith(await good.issue('CN=localhost', 'server'));

// The texts are those of Go's crypto/x509.
const noNames =
  'tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead';
const sha1 =
  'tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: cannot ' +
  'verify signature: insecure algorithm ECDSA-SHA1" while trying to verify candidate authority certificate "weak")';

describe('verifiedConnector', () => {
  test('takes a certificate for this name by a known authority, and tells of the connection', async () => {
    const told: string[] = [];
    assert.deepEqual(await connectTo(fine, { verifies: true, onConnected: (host) => told.push(host) }), []);
    assert.deepEqual(told, [`localhost:${fine}`]);
  });

  test('refuses an unknown authority by its code', async () => {
    const unknown = createSecureContext({ ca: (await createTestCa('CN=other')).cert });
    await assert.rejects(connectTo(fine, { verifies: true }, unknown), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  });

  test('refuses a certificate that has expired, also if it is for other names', async () => {
    const old = await serverWith(await good.issue('CN=x', 'server', new Date(Date.now() - 3_600_000), 'other'));
    await assert.rejects(connectTo(old), { code: 'CERT_HAS_EXPIRED' });
  });

  test('refuses other names than the one that is asked for, again and again', async () => {
    for (const _attempt of [1, 2])
      await assert.rejects(connectTo(fine, { verifies: true, serverName: 'a.b.svc' }), {
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      });
  });

  for (const [name, port, text, weaknesses] of [
    ['without alternative names', nameless, noNames, ['missing-san']],
    ['signed with SHA-1', signedWeakly, sha1, ['insecure-sha1']],
    ['without names and signed with SHA-1', both, noNames, ['missing-san', 'insecure-sha1']],
  ] as const) {
    test(`refuses a certificate ${name}, and says why`, async () => {
      await assert.rejects(connectTo(port), { message: text });
      assert.deepEqual(weaknessesIn(text), weaknesses.slice(0, 1));
    });

    test(`takes a certificate ${name} where none is verified, and says what is outdated`, async () => {
      assert.deepEqual(await connectTo(port, { verifies: false }), weaknesses);
    });
  }
});

describe('weaknessAnnotation', () => {
  test('names the host', () => {
    assert.deepEqual(weaknessAnnotation('insecure-sha1', 'a.example'), [
      'insecure-sha1.invalid-cert.kubernetes.io/a.example',
      'uses an insecure SHA-1 signature',
    ]);
    assert.deepEqual(weaknessesIn('x509: certificate has expired'), []);
  });
});
