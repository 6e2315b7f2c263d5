import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '#shared/flowcontrol/testing/manual-clock.ts';
import { printFamilies } from '#shared/observability/exposition/testing/print-families.ts';
import { ReadWriteMetrics } from './read-write-metrics.ts';

test('ReadWriteMetrics shows the most requests at once in the last second', () => {
  const clock = new ManualClock();
  const metrics = new ReadWriteMetrics(clock);
  const shown = (): string[] =>
    printFamilies(metrics.families())
      .split('\n')
      .filter((line) => line.startsWith('apiserver_current_inflight_requests{'));
  const { readOnly, mutating } = metrics.executing;
  readOnly.add(1);
  readOnly.add(1);
  readOnly.add(-1);
  clock.moveTo(1.5e9);
  mutating.add(1);
  const [writes, reads] = ['mutating', 'readOnly'].map(
    (kind) => (count: number) => `apiserver_current_inflight_requests{request_kind="${kind}"} ${count}`,
  );
  assert.deepEqual(shown(), [writes?.(0), reads?.(2)]);
  clock.moveTo(2.1e9);
  assert.deepEqual(shown(), [writes?.(1), reads?.(1)]);
  mutating.add(-1);
  clock.moveTo(9e9);
  assert.deepEqual(shown(), [writes?.(0), reads?.(1)]);
});
