/**
 * Runs the contract suite against a real etcd, to see that the suite says what etcd does:
 *   node --import tsx --test servers/store/testing/contract-on-etcd.ts
 * with the program's path in ETCD_BINARY. Not part of `npm test`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { contractSuite } from './contract-suite.ts';
import { GrpcTestTransport } from './grpc-test-transport.ts';

const binary = process.env['ETCD_BINARY'];
if (binary === undefined) throw new Error('set ETCD_BINARY to the path of an etcd program');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

contractSuite('etcd', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contract-etcd-'));
  const client = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(binary, [
    '--data-dir', folder, '--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer,
    '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`, '--log-level', 'error',
  ]);
  while (!(await fetch(`${client}/health`).then((answer) => answer.ok, () => false))) await pause(50);
  const etcd = new GrpcTestTransport(client);
  return {
    etcd,
    stop: async () => {
      await etcd.close();
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
});
