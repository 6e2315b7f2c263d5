import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { systemContext } from '#shared/registry/system-context.ts';
import { ClusterIPRepair } from './repair-cluster-ips.ts';
import { CoreInMemory } from './testing/core-in-memory.ts';

function setUp(t: TestContext): { memory: CoreInMemory; repair: ClusterIPRepair; pass: (ms: number) => void } {
  const memory = new CoreInMemory();
  t.after(() => memory.close());
  let now = 0;
  return {
    memory,
    repair: new ClusterIPRepair({ ...memory, recorder: memory.recorder, now: () => now }),
    pass: (ms) => void (now += ms),
  };
}

const service = (name: string) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default' } });

describe('ClusterIPRepair', () => {
  test('registers an address that a Service holds without an IPAddress', async (t) => {
    const { memory, repair } = setUp(t);
    await memory.addService('a', { clusterIPs: ['10.0.0.9'] });
    assert.equal(await repair.round(), undefined);
    assert.deepEqual(await memory.addresses(), ['10.0.0.9']);
    assert.deepEqual(memory.warnings, ['ClusterIPNotAllocated a']);
    await repair.round();
    assert.equal(memory.warnings.length, 1);
  });

  test('releases the address of a Service that does not exist after one minute', async (t) => {
    const { memory, repair, pass } = setUp(t);
    await memory.clusterIPs.register(service('gone'), '10.0.0.9', systemContext());
    assert.equal(await repair.round(), 60_000);
    pass(59_999);
    assert.equal(await repair.round(), 60_000);
    assert.deepEqual(await memory.addresses(), ['10.0.0.9']);
    pass(1);
    assert.equal(await repair.round(), undefined);
    assert.deepEqual(await memory.addresses(), []);
    assert.deepEqual(memory.warnings, ['IPAddressNotAllocated 10.0.0.9']);
  });

  test('keeps the address of a Service created late and releases addresses that it does not hold', async (t) => {
    const { memory, repair, pass } = setUp(t);
    for (const ip of ['10.0.0.9', '10.0.0.10']) await memory.clusterIPs.register(service('late'), ip, systemContext());
    await repair.round();
    await memory.addService('late', { clusterIPs: ['10.0.0.9'] });
    pass(60_000);
    await repair.round();
    assert.deepEqual(await memory.addresses(), ['10.0.0.9']);
    assert.deepEqual(memory.warnings, ['IPAddressWrongReference 10.0.0.10']);
  });

  test('leaves an address held by two Services with the registered Service', async (t) => {
    const { memory, repair, pass } = setUp(t);
    await memory.clusterIPs.register(
      await memory.addService('first', { clusterIPs: ['10.0.0.9'] }),
      '10.0.0.9',
      systemContext(),
    );
    await memory.addService('second', { clusterIPs: ['10.0.0.9'] });
    await repair.round();
    pass(60_000);
    await repair.round();
    assert.deepEqual(await memory.addresses(), ['10.0.0.9']);
    assert.deepEqual(memory.warnings, ['ClusterIPAlreadyAllocated second', 'ClusterIPAlreadyAllocated second']);
  });

  test('moves an IPAddress from a deleted Service to the Service that holds the address', async (t) => {
    const { memory, repair } = setUp(t);
    await memory.clusterIPs.register(service('gone'), '10.0.0.9', systemContext());
    await memory.addService('a', { clusterIPs: ['10.0.0.9'] });
    await repair.round();
    const store = memory.core.store('networking.k8s.io', 'ipaddresses');
    assert.match(String((await store.get('', '10.0.0.9')).json), /"name":"a"/);
  });

  test('reports addresses outside the ranges and ignores IPAddresses of other resources', async (t) => {
    const { memory, repair, pass } = setUp(t);
    await memory.addService('a', { clusterIPs: ['10.9.0.9'] });
    await memory.core.store('networking.k8s.io', 'ipaddresses').create(
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IPAddress',
        metadata: { name: '10.0.0.20' },
        spec: { parentRef: { group: 'x.io', resource: 'gateways', name: 'g' } },
      },
      systemContext(),
    );
    await repair.round();
    pass(60_000);
    await repair.round();
    assert.deepEqual(await memory.addresses(), ['10.0.0.20']);
    assert.deepEqual([...new Set(memory.warnings)], ['ClusterIPOutOfRange a']);
  });

  test('registers the address of a Service right after the Service is written', async (t) => {
    const { memory, repair } = setUp(t);
    const store = memory.core.store('', 'services');
    await memory.addService('a', { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] });
    await store.cache.waitForCurrent();
    const entry = store.cache.get(store.key('default', 'a'));
    assert.ok(entry);
    await repair.checkWritten({ ...entry, fields: { 'spec.clusterIP': '10.0.0.9' } });
    await repair.checkWritten({ ...entry, fields: { 'spec.clusterIP': '10.0.0.9' } });
    assert.deepEqual(await memory.addresses(), ['10.0.0.9']);
    assert.deepEqual(memory.warnings, ['ClusterIPNotAllocated a']);
  });
});
