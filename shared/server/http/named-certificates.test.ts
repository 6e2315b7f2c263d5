import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import type { NamedCertificate } from './named-certificates.ts';
import recorded from './testdata/named-certificates.json' with { type: 'json' };
import { listenTls } from './tls-listener.ts';

/** That of the recording. */
const address = '127.0.0.2';
const ca = await createTestCa();
const usual = await ca.issue('CN=kube-apiserver');

function commonNameShown(port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: address, port, rejectUnauthorized: false, ...(host === '' ? {} : { servername: host }) },
      () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

describe('named certificates', () => {
  test('show each host name and address the certificate that the reference shows', async () => {
    for (const { certificates, shown } of recorded.sets) {
      const named: NamedCertificate[] = await Promise.all(
        certificates.map(async ({ subject, host, names }) => ({
          ...(await ca.issue(subject, 'server', undefined, host)),
          names,
        })),
      );
      const listener = await listenTls(
        { host: '0.0.0.0', port: 0, ...usual, namedCertificates: () => named },
        () => undefined,
      );
      try {
        for (const [host, commonName] of Object.entries(shown))
          assert.equal(await commonNameShown(listener.port, host), commonName, host);
      } finally {
        listener.destroy();
      }
    }
  });

  test('are replaced from the next handshake on, and stay when the new pair is unusable', async () => {
    let named: NamedCertificate[] = [{ ...(await ca.issue('CN=first')), names: ['foo', address] }];
    const listener = await listenTls(
      { host: '0.0.0.0', port: 0, ...usual, namedCertificates: () => named },
      () => undefined,
    );
    const shown = (): Promise<string[]> =>
      Promise.all(['foo', '', 'other'].map((host) => commonNameShown(listener.port, host)));
    assert.deepEqual(await shown(), ['first', 'first', 'kube-apiserver']);
    named = [{ ...(await ca.issue('CN=second')), names: ['foo', address] }];
    const renewed = await ca.issue('CN=renewed');
    listener.replaceCertificate?.(renewed.cert, renewed.key);
    assert.deepEqual(await shown(), ['second', 'second', 'renewed']);
    named = [{ cert: usual.cert, key: 'none', names: ['foo'] }];
    assert.throws(() => listener.replaceCertificate?.(usual.cert, usual.key));
    assert.deepEqual(await shown(), ['second', 'second', 'renewed']);
    listener.destroy();
  });
});

describe('--tls-sni-cert-key', () => {
  for (const { flag, error } of recorded.refused) {
    test(`refuses ${flag} with the reference's error`, () =>
      assert.deepEqual(parseServerOptions([`--tls-sni-cert-key=${flag}`]).errors, [error]));
  }

  test('takes files and host names of several values', () => {
    const { options, errors } = parseServerOptions([
      '--tls-sni-cert-key=/none/a.crt, /none/a.key',
      '--tls-sni-cert-key',
      '/none/b.crt,/none/b.key: foo, *.bar',
    ]);
    assert.deepEqual(options.tlsSniCertKey, [
      { certFile: '/none/a.crt', keyFile: '/none/a.key', names: [] },
      { certFile: '/none/b.crt', keyFile: '/none/b.key', names: ['foo', '*.bar'] },
    ]);
    assert.equal(errors.filter((error) => error.includes('there is no such file')).length, 4);
  });
});
