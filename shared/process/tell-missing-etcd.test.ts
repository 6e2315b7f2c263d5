import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { tellMissingEtcd } from './tell-missing-etcd.ts';

describe('tellMissingEtcd', () => {
  test('names the etcd that does not answer, the cause and the remedy', async () => {
    const etcd = `http://127.0.0.1:${await freePort()}`;
    const line = await new Promise<string>((tell) =>
      tellMissingEtcd({ etcdServers: [etcd], egressSelectorConfigFile: '' }, { afterMs: 1, tell }),
    );
    assert.equal(
      line,
      `waiting for etcd at ${etcd}, which does not answer (ECONNREFUSED): start it, or name another with --etcd-servers`,
    );
  });

  test('says nothing where one of them answers', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const lines: string[] = [];
    const etcdServers = [`127.0.0.1:${(server.address() as AddressInfo).port}`, '127.0.0.1:1'];
    const stop = tellMissingEtcd(
      { etcdServers, egressSelectorConfigFile: '' },
      { afterMs: 1, tell: (line) => lines.push(line) },
    );
    await once(server, 'connection');
    for (let i = 0; i < 20; i++) await turn();
    stop();
    server.close();
    assert.deepEqual(lines, []);
  });
});
