import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { ensureCertificates, ensureServiceAccountKeys, ensureServingPair } from './pki.ts';

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-pki-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const paths = pkiPaths(join(directory, 'pki'));
const madeFiles = Object.entries(paths)
  .filter(([name]) => name !== 'directory')
  .map(([, path]) => path as string);
const hosts = ['localhost', 'kubernetes.default.svc', '127.0.0.1', '::1', '10.0.0.1', 'fd00::1:2'];

describe('launcher PKI', () => {
  test('creates CAs, certificates and keys once and keeps them', async () => {
    ensureCertificates(paths, hosts);
    await ensureServiceAccountKeys(paths);
    const before = madeFiles.map((path) => readFileSync(path, 'utf8'));
    ensureCertificates(paths, hosts);
    await ensureServiceAccountKeys(paths);
    assert.deepEqual(
      madeFiles.map((path) => readFileSync(path, 'utf8')),
      before,
    );
  });

  test('makes private keys readable by their owner only', () => {
    for (const path of [
      paths.caKey,
      paths.servingKey,
      paths.adminKey,
      paths.kubeletClientKey,
      paths.frontProxyCaKey,
      paths.frontProxyClientKey,
      paths.serviceAccountKey,
    ]) {
      assert.equal(statSync(path).mode & 0o777, 0o600, path);
    }
  });

  test('signs each certificate with its CA and for its purpose only', () => {
    const read = (path: string) => new X509Certificate(readFileSync(path));
    const serverAuth = '1.3.6.1.5.5.7.3.1';
    const clientAuth = '1.3.6.1.5.5.7.3.2';
    for (const [authority, certificate, purpose] of [
      [paths.caCert, paths.servingCert, serverAuth],
      [paths.caCert, paths.adminCert, clientAuth],
      [paths.caCert, paths.kubeletClientCert, clientAuth],
      [paths.frontProxyCaCert, paths.frontProxyClientCert, clientAuth],
    ] as const) {
      const issuer = read(authority);
      const leaf = read(certificate);
      assert.ok(issuer.ca && leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey), certificate);
      assert.deepEqual(leaf.keyUsage, [purpose], certificate);
      assert.ok(!leaf.ca, certificate);
    }
  });

  test('names every host in the serving certificate', () => {
    const certificate = new X509Certificate(readFileSync(paths.servingCert));
    for (const host of ['localhost', 'kubernetes.default.svc']) assert.equal(certificate.checkHost(host), host);
    for (const ip of ['127.0.0.1', '::1', '10.0.0.1', 'fd00::1:2']) assert.ok(certificate.checkIP(ip), ip);
  });

  test('authenticates the administrator as system:masters to a TLS server', async () => {
    const server = createServer(
      {
        cert: readFileSync(paths.servingCert),
        key: readFileSync(paths.servingKey),
        ca: readFileSync(paths.caCert),
        requestCert: true,
        rejectUnauthorized: true,
      },
      (socket) => socket.end(String(socket.getPeerCertificate().subject.O)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const closed = new Promise((resolve) => server.on('close', resolve));
    const client = connect({
      port,
      host: '127.0.0.1',
      ca: readFileSync(paths.caCert),
      cert: readFileSync(paths.adminCert),
      key: readFileSync(paths.adminKey),
    });
    let text = '';
    try {
      for await (const chunk of client) text += String(chunk);
    } finally {
      server.close();
    }
    assert.equal(text, 'system:masters');
    await closed;
  });

  test('issues a new certificate under the same CA for a new host and near expiry', () => {
    const first = readFileSync(paths.servingCert, 'utf8');
    ensureCertificates(paths, [...hosts, 'node.example']);
    const second = readFileSync(paths.servingCert, 'utf8');
    assert.notEqual(second, first);
    ensureCertificates(paths, hosts, new Date(Date.now() + 330 * 86_400_000));
    assert.notEqual(readFileSync(paths.servingCert, 'utf8'), second);
  });

  test('writes a private kubeconfig with the address of the server', () => {
    const path = join(directory, 'kubeconfig');
    writeKubeconfig(path, 'https://127.0.0.1:6443', paths);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.match(readFileSync(path, 'utf8'), /server: https:\/\/127\.0\.0\.1:6443/);
  });

  test('creates a serving certificate with its CA in a folder of the user once and keeps existing files', () => {
    const pair = {
      cert: join(directory, 'serving', 'apiserver.crt'),
      key: join(directory, 'serving', 'apiserver.key'),
    };
    ensureServingPair(paths, pair, hosts);
    const made = readFileSync(pair.cert, 'utf8');
    assert.ok(made.endsWith(readFileSync(paths.caCert, 'utf8')), 'the authority comes second');
    assert.equal(new X509Certificate(made).checkHost('localhost'), 'localhost');
    assert.equal(new X509Certificate(made).publicKey.asymmetricKeyType, 'rsa');
    ensureServingPair(paths, pair, ['another.example.com']);
    assert.equal(readFileSync(pair.cert, 'utf8'), made);
  });
});
