import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { NodePorts } from './node-ports.ts';
import { rangeCodec } from './range-codec.ts';

const range = { first: 30_000, last: 32_767 };
const codec = rangeCodec(loadFacts());

function setup(): { storage: MemoryStorage; ports: NodePorts } {
  const storage = new MemoryStorage();
  return { storage, ports: new NodePorts(storage, codec, range) };
}

describe('NodePorts', () => {
  test('refuses a port that is already allocated until it is released', async () => {
    const { ports } = setup();
    await ports.take(30_113, false);
    await assert.rejects(ports.take(30_113, false), { message: 'provided port is already allocated' });
    await ports.release([30_113]);
    await ports.take(30_113, false);
  });

  test('refuses a port outside the range with the error of the reference', async () => {
    await assert.rejects(setup().ports.take(29_999, false), {
      message: 'provided port is not in the valid range. The range of valid ports is 30000-32767',
    });
  });

  test('does not allocate the port on a dry run', async () => {
    const { ports } = setup();
    await ports.take(30_200, true);
    await ports.take(30_200, false);
  });

  test('allocates random ports above the lowest 86 of the range', async () => {
    const { ports } = setup();
    for (let i = 0; i < 20; i++) assert.ok((await ports.takeAny()) >= range.first + 86);
  });

  test('stores the bitmap as a Go big integer with the first port in its lowest bit', async () => {
    const { storage, ports } = setup();
    await ports.take(30_000, false);
    await ports.take(30_009, false);
    const { kv } = await storage.get('/ranges/servicenodeports');
    assert.ok(kv);
    const stored = codec.decode(kv.value);
    assert.equal(stringAt(stored, 'range'), '30000-32767');
    assert.deepEqual([...Buffer.from(stringAt(stored, 'data'), 'base64')], [0b10, 0b1]);
  });

  test('keeps ports allocated when the range changes', async () => {
    const { storage, ports } = setup();
    await ports.take(30_100, false);
    const wider = new NodePorts(storage, codec, { first: 29_000, last: 31_000 });
    await assert.rejects(wider.take(30_100, false), { message: 'provided port is already allocated' });
    await wider.take(29_001, false);
    await assert.rejects(wider.take(30_100, false), { message: 'provided port is already allocated' });
  });

  test('rebuilds again when another port was allocated during the rebuild', async () => {
    const { ports } = setup();
    await ports.take(30_100, false);
    const seen: number[][] = [];
    await ports.rebuild(async (held) => {
      seen.push([...held]);
      if (seen.length === 1) await ports.take(30_101, false);
      return [...held, 30_200];
    });
    assert.deepEqual(seen, [[30_100], [30_100, 30_101]]);
    for (const port of [30_100, 30_101, 30_200])
      await assert.rejects(ports.take(port, false), { message: 'provided port is already allocated' });
  });

  test('counts allocations and refusals, and shows how many ports are held', async () => {
    const { ports } = setup();
    await ports.take(30_113, false);
    await assert.rejects(ports.take(30_113, false));
    await assert.rejects(ports.take(29_999, false));
    await ports.take(30_200, true);
    await ports.takeAny();
    assert.deepEqual(sampleLines(...ports.metrics.families()).sort(), [
      'kube_apiserver_nodeport_allocator_allocated_ports 2',
      'kube_apiserver_nodeport_allocator_allocation_errors_total{scope="static"} 2',
      'kube_apiserver_nodeport_allocator_allocation_total{scope="dynamic"} 1',
      'kube_apiserver_nodeport_allocator_allocation_total{scope="static"} 1',
      'kube_apiserver_nodeport_allocator_available_ports 2766',
    ]);
    await ports.release([30_113]);
    assert.ok(sampleLines(...ports.metrics.families()).includes('kube_apiserver_nodeport_allocator_allocated_ports 1'));
  });
});
