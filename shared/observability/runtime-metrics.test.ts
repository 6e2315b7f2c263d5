import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runtimeMetrics } from './runtime-metrics.ts';

describe('metrics of the runtime', () => {
  test('before a scrape, watch nothing in the process', () => {
    const before = process.getActiveResourcesInfo();
    runtimeMetrics('core');
    assert.deepEqual(process.getActiveResourcesInfo(), before);
  });

  test('of two servers in one process, show the same delays under both names', () => {
    for (const name of ['core', 'gateway']) {
      const family = runtimeMetrics(name).find((each) => each.name === 'quarterdeck_event_loop_delay_seconds');
      assert.deepEqual(
        [...(family?.samples() ?? [])].map(({ labels }) => labels),
        ['0.5', '0.9', '0.99', '1'].map((quantile) => [name, quantile]),
      );
    }
  });

  test('after a collection of garbage, show its pause', async () => {
    const family = runtimeMetrics('core').find((each) => each.name === 'quarterdeck_gc_pause_seconds');
    assert.ok(family);
    while ([...family.samples()].length === 0) {
      Array.from({ length: 100_000 }, (_, index) => ({ index }));
      await new Promise(setImmediate);
    }
    assert.equal([...family.samples()][0]?.labels[0], 'core');
  });
});
