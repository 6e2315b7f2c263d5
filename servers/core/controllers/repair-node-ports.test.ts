import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { NodePortRepair } from './repair-node-ports.ts';
import { CoreInMemory } from './testing/core-in-memory.ts';

function setUp(t: TestContext): { memory: CoreInMemory; repair: NodePortRepair; counted: () => string[] } {
  const memory = new CoreInMemory();
  t.after(() => memory.close());
  const repair = new NodePortRepair(memory.core, memory.nodePorts, memory.recorder);
  return { memory, repair, counted: () => repair.metrics.flatMap((family) => sampleLines(family)) };
}

const noFailedRound = 'apiserver_nodeport_repair_reconcile_errors_total 0';
const taken = { message: 'provided port is already allocated' };

describe('NodePortRepair', () => {
  test('releases a leaked port in the third round', async (t) => {
    const { memory, repair, counted } = setUp(t);
    await memory.nodePorts.take(30_100, false);
    for (let round = 0; round < 2; round++) {
      await repair.round();
      await assert.rejects(memory.nodePorts.take(30_100, false), taken);
    }
    await repair.round();
    await memory.nodePorts.take(30_100, false);
    assert.deepEqual(counted(), ['apiserver_nodeport_repair_port_errors_total{type="leak"} 1', noFailedRound]);
  });

  test('allocates a port that a Service holds and never releases it', async (t) => {
    const { memory, repair, counted } = setUp(t);
    await memory.addService('a', {
      type: 'NodePort',
      ports: [
        { port: 53, protocol: 'TCP', nodePort: 30_053 },
        { port: 53, protocol: 'UDP', nodePort: 30_053, name: 'udp' },
      ],
    });
    for (let round = 0; round < 4; round++) await repair.round();
    await assert.rejects(memory.nodePorts.take(30_053, false), taken);
    assert.deepEqual(counted(), ['apiserver_nodeport_repair_port_errors_total{type="repair"} 1', noFailedRound]);
    assert.deepEqual(memory.warnings, ['PortNotAllocated a']);
  });

  test('reports ports of two Services and ports outside the range', async (t) => {
    const { memory, repair } = setUp(t);
    for (const name of ['a', 'b'])
      await memory.addService(name, { type: 'NodePort', ports: [{ port: 80, protocol: 'TCP', nodePort: 30_080 }] });
    await memory.addService('c', { type: 'LoadBalancer', healthCheckNodePort: 20_000 });
    await repair.round();
    assert.deepEqual(memory.warnings, ['PortNotAllocated a', 'PortAlreadyAllocated b', 'PortOutOfRange c']);
  });
});
