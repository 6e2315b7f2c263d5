import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connect, type SecureContextOptions } from 'node:tls';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { cipherSuiteErrors } from './cipher-suites.ts';
import recorded from './testdata/cipher-suites.json' with { type: 'json' };
import { listenTls } from './tls-listener.ts';

const ca = await createTestCa();
const serving = await ca.issue('CN=server');

/**
 * Which of the suites a listener takes from a client that offers nothing else; its certificate is ECDSA, as in the
 * recording.
 */
async function taken(cipherSuites: readonly string[], offered: readonly string[]): Promise<string[]> {
  const listener = await listenTls({ host: '127.0.0.1', port: 0, ...serving, cipherSuites }, () => undefined);
  try {
    const answers = await Promise.all(
      offered.map((ciphers) => handshake(listener.port, { ciphers: `${ciphers}:@SECLEVEL=0`, maxVersion: 'TLSv1.2' })),
    );
    return offered.filter((_, at) => answers[at] !== undefined);
  } finally {
    listener.destroy();
  }
}

/** The suite that was agreed on. */
function handshake(port: number, options: SecureContextOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, ca: [ca.cert], ...options }, () => {
      resolve(socket.getCipher().name);
      socket.destroy();
    });
    socket.on('error', () => resolve(undefined));
  });
}

describe('--tls-cipher-suites', () => {
  test('accepts the suites that the reference accepts, for each recorded value and without the flag', async () => {
    for (const { flag, suites } of recorded.taken)
      assert.deepEqual(await taken(flag, recorded.offered), suites, flag.join(','));
  });

  test("prefers suites in the reference's order, and keeps those of TLS 1.3", async () => {
    const listener = await listenTls(
      {
        host: '127.0.0.1',
        port: 0,
        ...serving,
        cipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
      },
      () => undefined,
    );
    assert.equal(await handshake(listener.port, { maxVersion: 'TLSv1.2' }), 'ECDHE-ECDSA-AES128-GCM-SHA256');
    assert.match(String(await handshake(listener.port, { minVersion: 'TLSv1.3' })), /^TLS_/);
    listener.destroy();
  });

  test("reports the reference's error for unknown names and for lists that HTTP/2 cannot use", () => {
    for (const { flag, http2, error } of recorded.refused) assert.deepEqual(cipherSuiteErrors(flag, http2), [error]);
    for (const { flag } of recorded.taken) assert.deepEqual(cipherSuiteErrors(flag, true), []);
    assert.deepEqual(cipherSuiteErrors(['TLS_RSA_WITH_AES_128_CBC_SHA'], false), []);
  });
});
