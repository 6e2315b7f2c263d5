import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Etcd3, Range, type IOptions } from 'etcd3';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster, type EtcdCertificates } from '#test/etcd-cluster.ts';
import { clientName, makeCertificates } from './certificates.ts';
import { createMap, maps, untilWritten, withClient, type Scenario } from './scenario.ts';

const resumesWithinMs = 15_000;
const password = 'for the test';
const serverRole = 'server';

/** etcd knows the server by the name in its certificate, and may take its rights away while it runs. */
export async function permissions({ program, folder, say }: Scenario): Promise<void> {
  const certificates = makeCertificates(join(folder, 'pki'));
  const etcd = await startEtcdCluster(program, join(folder, 'etcd'), { tls: certificates });
  const root = new EtcdRoot(etcd.endpoints, certificates);
  const tls = [
    '--etcd-cafile',
    certificates.caFile,
    '--etcd-certfile',
    certificates.certFile,
    '--etcd-keyfile',
    certificates.keyFile,
  ];
  try {
    await root.enable();
    await root.grant('Readwrite');
    const cluster = await startCluster({
      bundled: true,
      flags: ['--etcd-servers', etcd.endpoints, ...tls],
      readyWithinMs: 60_000,
    });
    try {
      await withClient(cluster, async (client) => {
        assert.equal((await createMap(client, 'allowed')).status, 201);
        await root.grant('Read');
        const refused = await createMap(client, 'refused');
        assert.deepEqual(
          [refused.status, (refused.json as { message: string }).message],
          [500, 'etcdserver: permission denied'],
        );
        assert.equal((await client.send('GET', `${maps}/allowed`)).status, 200, 'reads are still allowed');
        await root.revoke();
        const blind = await client.send('GET', `${maps}/allowed`);
        assert.deepEqual(
          [blind.status, (blind.json as { message: string }).message],
          [500, 'etcdserver: permission denied'],
        );
        assert.equal(
          (await client.send('GET', `${maps}/allowed?resourceVersion=0`)).status,
          200,
          'what may be old comes from the cache',
        );
        await root.grant('Readwrite');
        const resumedMs = await untilWritten(client, 'allowed-again', resumesWithinMs);
        assert.equal((await client.send('GET', maps)).status, 200);
        say(
          `without the right to write: 500 etcdserver: permission denied; writes go on ${resumedMs} ms after it is given back`,
        );
      });
    } finally {
      await cluster.close();
    }
  } finally {
    root.close();
    await etcd.close();
  }
}

/** The administrator of an etcd. */
class EtcdRoot {
  readonly #options: IOptions;
  #client: Etcd3;

  constructor(url: string, { caFile, certFile, keyFile }: EtcdCertificates) {
    const [rootCertificate, certChain, privateKey] = [caFile, certFile, keyFile].map((file) => readFileSync(file)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    // By its name: the library cannot check an address against a certificate.
    this.#options = {
      hosts: url.replace('127.0.0.1', 'localhost'),
      credentials: { rootCertificate, certChain, privateKey },
    };
    this.#client = new Etcd3(this.#options);
  }

  async enable(): Promise<void> {
    for (const [user, role] of [
      ['root', 'root'],
      [clientName, serverRole],
    ] as const) {
      await this.#client.user(user).create(password);
      await this.#client.role(role).create();
      await this.#client.user(user).addRole(role);
    }
    await this.#client.auth.authEnable();
    this.#client.close();
    this.#client = new Etcd3({ ...this.#options, auth: { username: 'root', password } });
  }

  /** On every key. */
  async grant(permission: 'Read' | 'Readwrite'): Promise<void> {
    await this.#client.role(serverRole).grant({ permission, range: Range.prefix('') });
  }

  async revoke(): Promise<void> {
    await this.#client.role(serverRole).revoke({ permission: 'Read', range: Range.prefix('') });
  }

  close(): void {
    this.#client.close();
  }
}
