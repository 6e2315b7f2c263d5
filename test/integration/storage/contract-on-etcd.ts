/**
 * Runs the contract suite of the store against a real etcd, to see that the suite says what etcd does:
 *   node --import tsx --test test/integration/storage/contract-on-etcd.ts
 * with the program's path in ETCD_BINARY. Not part of `npm test`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractSuite } from '#servers/store/testing/contract-suite.ts';
import { GrpcTestTransport } from '#servers/store/testing/grpc-test-transport.ts';
import { startEtcd } from '#test/reference.ts';

const binary = process.env['ETCD_BINARY'];
if (binary === undefined) throw new Error('set ETCD_BINARY to the path of an etcd program');

contractSuite('etcd', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-etcd-'));
  const server = await startEtcd(binary, folder);
  const etcd = new GrpcTestTransport(server.url);
  return {
    etcd,
    stop: async () => {
      await etcd.close();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
});
