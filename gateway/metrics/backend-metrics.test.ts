import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BackendPool } from '#gateway/proxy/backend-pool.ts';
import type { Backend } from '#gateway/proxy/backend.ts';
import type { Transport } from '#gateway/proxy/hop/transport.ts';
import { Counter, MetricsRegistry, type Family } from '#shared/observability/metrics.ts';
import { BackendMetrics } from './backend-metrics.ts';

/** A backend whose `/metrics` has this text. */
function backendWith(text: string): Backend {
  const transport: Pick<Transport, 'forward'> = {
    forward(_request, listener) {
      queueMicrotask(() => listener.onWhole(200, {}, Buffer.from(text)));
      return { abort: () => undefined } as unknown as ReturnType<Transport['forward']>;
    },
  };
  return { usable: true, draining: false, weight: 1, outstanding: 0, transport } as unknown as Backend;
}

describe('BackendMetrics', () => {
  test('sums the counts of all backends with those of the gateway by labels', async () => {
    const counter = new Counter('decisions_total', 'help', ['name']);
    counter.add('a');
    const pools = [
      new BackendPool('core', [
        backendWith('# HELP decisions_total help\ndecisions_total{name="a"} 2\ndecisions_total{name="b"} 3\n'),
        backendWith('decisions_total{name="b"} 4\ndecisions_total_of_others{name="b"} 9\n'),
      ]),
      new BackendPool('extensions'),
    ];
    const registry = new MetricsRegistry();
    const families = new BackendMetrics(pools).summed([counter]);
    for (const family of families) registry.add(family);
    for (const { refresh } of families) await refresh?.();
    assert.match(registry.print(), /\ndecisions_total\{name="a"\} 3\ndecisions_total\{name="b"\} 7\n$/);
  });

  test('joins the gauges of all backends with those of the gateway, each once', async () => {
    const pools = [
      new BackendPool('core', [backendWith('objects{name="b"} 2\n'), backendWith('objects{name="b"} 3\n')]),
      new BackendPool('extensions', [backendWith('objects{name="a"} 9\nobjects{name="c"} 4\n')]),
    ];
    let refreshed = 0;
    const own: Family = {
      name: 'objects',
      type: 'gauge',
      help: 'help',
      lines: () => ['objects{name="a"} 1'],
      refresh: async () => void refreshed++,
    };
    const [family] = new BackendMetrics(pools).joined([own]);
    await family?.refresh?.();
    assert.equal(refreshed, 1);
    assert.deepEqual(
      [...(family?.lines() ?? [])],
      ['objects{name="a"} 1', 'objects{name="b"} 2', 'objects{name="c"} 4'],
    );
  });

  test('takes gauges of the gateway alone, but for those that say how they are merged', async () => {
    const gauge = (name: string, merged?: 'sum' | 'max'): Family => ({
      name,
      type: 'gauge',
      help: 'help',
      ...(merged === undefined ? {} : { merged }),
      lines: () => [`${name} 2`],
    });
    const pools = [
      new BackendPool('core', [backendWith('own 3\nlatest 5\nsize 3\n'), backendWith('latest 4\nsize 1\n')]),
    ];
    const families = new BackendMetrics(pools).summed([gauge('own'), gauge('latest', 'max'), gauge('size', 'sum')]);
    for (const { refresh } of families) await refresh?.();
    assert.deepEqual(
      families.flatMap((family) => [...family.lines()]),
      ['own 2', 'latest 5', 'size 6'],
    );
  });
});
