import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Agent, fetch } from 'undici';
import { put } from '#servers/store/testing/contract-context.ts';
import { GrpcTestTransport } from '#servers/store/testing/grpc-test-transport.ts';
import { temporaryStore } from '#servers/store/testing/temporary-store.ts';
import { grpcCode } from '#shared/storage/etcd-wire/transport.ts';

function makeCertificate(folder: string): { cert: string; key: string } {
  const files = { cert: join(folder, 'c.pem'), key: join(folder, 'k.pem') };
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      files.key,
      '-out',
      files.cert,
      '-days',
      '2',
      '-subj',
      '/CN=store',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
    ],
    { stdio: 'ignore' },
  );
  return files;
}

describe('gRPC server', () => {
  test('answers /health and /version over plain HTTP on its port', async () => {
    await using store = await temporaryStore({ listenClientUrls: ['http://127.0.0.1:0'] });
    const url = store.store.clientUrls[0] as string;
    assert.deepEqual(await (await fetch(`${url}/health`)).json(), { health: 'true', reason: '' });
    assert.equal(((await (await fetch(`${url}/version`)).json()) as { etcdserver: string }).etcdserver, '3.6.5');
    assert.equal((await fetch(`${url}/nothing`)).status, 404);
    await store.etcd.unary('Maintenance/Alarm', { action: 'ACTIVATE', alarm: 'NOSPACE' });
    assert.deepEqual(await (await fetch(`${url}/health`)).json(), { health: 'false', reason: 'ALARM NOSPACE' });
  });

  test('accepts gRPC and HTTP only with a client certificate when client-cert-auth is on', async () => {
    await using plain = await temporaryStore();
    const files = makeCertificate(plain.folder);
    const tls = { certFile: files.cert, keyFile: files.key, clientCertAuth: true, trustedCaFile: files.cert };
    await using store = await plain.restart({ listenClientUrls: ['https://127.0.0.1:0'], tls });
    const url = store.store.clientUrls[0] as string;
    const identity = { ca: readFileSync(files.cert), cert: readFileSync(files.cert), key: readFileSync(files.key) };
    const etcd = new GrpcTestTransport(url, identity);
    assert.equal(await put(etcd, 'a', '1'), 2);
    await etcd.close();
    for (const allowH2 of [true, false]) {
      const dispatcher = new Agent({ connect: identity, allowH2 });
      assert.equal((await fetch(`${url}/health`, { dispatcher })).status, 200);
      await dispatcher.close();
    }
    const stranger = new GrpcTestTransport(url, { ca: identity.ca });
    await assert.rejects(put(stranger, 'a', '1'), { code: grpcCode.unavailable });
    await stranger.close();
  });
});
