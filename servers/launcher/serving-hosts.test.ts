import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { resolveServerOptions } from '#shared/server/options/server-options.ts';
import { ensureCertificates } from './pki/pki.ts';
import { reachableAddress, servingHosts } from './serving-hosts.ts';

const folder = mkdtempSync(join(tmpdir(), 'serving-hosts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const hostsWith = (changed: Parameters<typeof resolveServerOptions>[0], machine = 'machine'): string[] =>
  servingHosts(resolveServerOptions({ bindAddress: '127.0.0.1', ...changed }), machine);

/** Names of machines, and what certificates call them (RFC 5890, RFC 1035). */
const machines: readonly (readonly [name: string, inCertificate: string | undefined])[] = [
  ['Machine-1.example.', 'Machine-1.example'],
  ['my_machine', 'my_machine'],
  ['bücher', 'xn--bcher-kva'],
  ['日本.example', 'xn--wgv71a.example'],
  ['', undefined],
  ['a b', undefined],
  ['-a', undefined],
  ['a..b', undefined],
  ['x'.repeat(63), 'x'.repeat(63)],
  ['x'.repeat(64), undefined],
  [`${'x'.repeat(60)}.`.repeat(5), undefined],
];

describe('servingHosts', () => {
  const usual = hostsWith({}, '');
  for (const [name, inCertificate] of machines)
    test(`calls a machine ${JSON.stringify(name)} ${inCertificate ?? 'nothing'}`, () => {
      assert.deepEqual(
        hostsWith({}, name).filter((host) => !usual.includes(host)),
        inCertificate === undefined ? [] : [inCertificate],
      );
    });

  test('holds the first address of each service range, wherever the range is said to begin', () => {
    const hosts = hostsWith({ serviceClusterIpRange: '10.5.0.7/16,fd00::55/112' });
    assert.ok(hosts.includes('10.5.0.1') && hosts.includes('fd00::1'), String(hosts));
  });

  test('holds the external host name without its port, and addresses in one form', () => {
    const hosts = hostsWith({ externalHostname: 'api.example:8443', bindAddress: 'FD00::0:1' });
    assert.ok(hosts.includes('api.example') && hosts.includes('fd00::1'), String(hosts));
    assert.ok(hostsWith({ bindAddress: '::ffff:192.0.2.1' }).includes('192.0.2.1'));
  });

  test('makes a certificate that is valid for all of them and is not made again', () => {
    const paths = pkiPaths(join(folder, 'pki'));
    for (const [name] of machines) {
      const hosts = hostsWith({ bindAddress: '::ffff:192.0.2.1', externalHostname: 'api.example:8443' }, name);
      ensureCertificates(paths, hosts);
      const made = readFileSync(paths.servingCert, 'utf8');
      assert.deepEqual(ensureCertificates(paths, hosts), [], name);
      assert.equal(readFileSync(paths.servingCert, 'utf8'), made);
      // Names of certificates are ASCII.
      assert.match(new X509Certificate(made).subjectAltName ?? '', /^[\x20-\x7e]+$/);
    }
  });
});

describe('reachableAddress', () => {
  const there = new Set(
    Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
  );

  test('is a given address itself, and an own one of the right family for all addresses', () => {
    assert.equal(reachableAddress('192.0.2.1'), '192.0.2.1');
    assert.equal(reachableAddress('::1'), '::1');
    for (const everywhere of ['0.0.0.0', '::']) assert.ok(there.has(reachableAddress(everywhere)), everywhere);
  });
});
