import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { GrpcTestTransport } from '#servers/store/testing/grpc-test-transport.ts';
import { parseStoreFlags, StoreFlagError } from './options.ts';
import { startStore } from './start-store.ts';

describe('store flags', () => {
  test('accept the etcd flags that envtest passes', () => {
    const url = 'http://127.0.0.1:2379';
    const options = parseStoreFlags([
      '--listen-peer-urls=http://localhost:0',
      `--advertise-client-urls=${url}`,
      `--listen-client-urls=${url}`,
      '--data-dir=/d',
      '--unsafe-no-fsync=true',
    ]);
    assert.deepEqual([options.dataDir, options.listenClientUrls, options.advertiseClientUrls], ['/d', [url], [url]]);
    assert.equal(options.unsafeNoFsync, true);
    assert.equal(parseStoreFlags(['--client-cert-auth=false']).tls, undefined);
  });

  test('refuse an invalid URL with the name of the flag', () => {
    for (const flag of ['--listen-client-urls', '--advertise-client-urls', '--listen-peer-urls']) {
      assert.throws(
        () => parseStoreFlags([`${flag}=localhost:1`]),
        (error) => error instanceof StoreFlagError && error.message.startsWith(`${flag}: "localhost:1" `),
        flag,
      );
    }
  });

  test('refuse an empty path, which would be the current folder, and take an empty certificate as none', () => {
    for (const flag of ['--data-dir', '--listen-unix-socket'])
      assert.throws(() => parseStoreFlags([`${flag}=`]), {
        name: 'StoreFlagError',
        message: `${flag} "" names nothing (is a variable not set?): name a path, or leave it out`,
      });
    assert.equal(parseStoreFlags(['--cert-file=', '--key-file=', '--trusted-ca-file=']).tls, undefined);
  });

  test('advertise the given client URLs to clients', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'advertised-'));
    const advertiseClientUrls = ['https://etcd.example:2379'];
    const store = await startStore({ dataDir, listenClientUrls: ['http://127.0.0.1:0'], advertiseClientUrls });
    const etcd = new GrpcTestTransport(store.clientUrls[0] as string);
    try {
      const { members } = await etcd.unary('Cluster/MemberList', {});
      assert.deepEqual(
        members.map((member) => member.clientUrls),
        [advertiseClientUrls],
      );
    } finally {
      await etcd.close();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
