import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { Replicas } from './replicas.ts';

const sockets = {
  core: '/run/core.sock',
  extensions: '/run/extensions.sock',
  gateway: '/run/gateway.sock',
  controllers: '/run/controllers.sock',
};
const options = {
  coreReplicas: 2,
  extensionsReplicas: 1,
  gatewayReplicas: 1,
  coreServers: ['https://core.example'],
  extensionsServers: [],
  permitPortSharing: false,
  shutdownDelayDuration: 5000,
  requestTimeout: 60_000,
  shutdownWatchTerminationGracePeriod: 1000,
  internalListenAddress: '127.0.0.1:1',
} as unknown as ServerOptions;

const replicasOf = (more: Partial<ServerOptions> = {}): Replicas =>
  new Replicas({ ...options, ...more }, '/run', sockets);

describe('Replicas', () => {
  test('gives each backend its own socket', () => {
    const paths = replicasOf()
      .of('core')
      .map((each) => each.sockets.core);
    assert.deepEqual(paths, ['/run/core.sock', '/run/core-2.sock']);
    assert.deepEqual(
      replicasOf()
        .of('extensions')
        .map((each) => each.sockets.extensions),
      ['/run/extensions.sock'],
    );
  });

  test('gives backends no delay at their shutdown and no address of their own', () => {
    for (const { server, gatewaysEndWithinMs } of replicasOf().of('core')) {
      assert.deepEqual([server.shutdownDelayDuration, server.internalListenAddress], [0, '']);
      assert.equal(gatewaysEndWithinMs, 5000 + 60_000 + 1000 + 10_000);
    }
  });

  test('gives gateways the sockets of all backends before the servers of the flags, and the delay of the flags', () => {
    const [gateway, ...more] = replicasOf().of('gateway');
    assert.equal(more.length, 0);
    assert.deepEqual(gateway?.server.coreServers, [
      'unix:///run/core.sock',
      'unix:///run/core-2.sock',
      'https://core.example',
    ]);
    assert.deepEqual(gateway?.server.extensionsServers, ['unix:///run/extensions.sock']);
    assert.deepEqual(
      [gateway?.server.shutdownDelayDuration, gateway?.server.internalListenAddress, gateway?.instance],
      [5000, '127.0.0.1:1', 1],
    );
  });

  test('lets gateways share a port where there are several, or where a flag says so', () => {
    const sharing = (more: Partial<ServerOptions>): unknown[] =>
      replicasOf(more)
        .of('gateway')
        .map(({ server, instance }) => [server.permitPortSharing, instance]);
    assert.deepEqual(sharing({}), [[false, 1]]);
    assert.deepEqual(sharing({ permitPortSharing: true }), [[true, 1]]);
    assert.deepEqual(sharing({ gatewayReplicas: 2 }), [
      [true, 1],
      [true, 2],
    ]);
  });
});
