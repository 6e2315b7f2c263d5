import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BackendPool } from '#gateway/proxy/backend-pool.ts';
import type { Backend } from '#gateway/proxy/backend.ts';
import type { Transport } from '#gateway/proxy/hop/transport.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family, MergeRule } from '#shared/observability/metrics/family.ts';
import { gaugeFamily } from '#shared/observability/metrics/gauge.ts';
import { Histogram } from '#shared/observability/metrics/histogram.ts';
import { BackendMetrics } from './backend-metrics.ts';

interface TestProcess {
  processId: string;
  readonly families: Family[];
}

/** A backend that answers with the families of a process. */
function backendOf(process: TestProcess): Backend {
  const text = (): string =>
    [JSON.stringify(process.processId), ...process.families.map(lineOf)].map((line) => `${line}\n`).join('');
  const transport: Pick<Transport, 'forward'> = {
    forward({ method }, listener) {
      if (method === 'DELETE') for (const family of process.families) family.reset?.();
      queueMicrotask(() => listener.onWhole(200, {}, Buffer.from(text())));
      return { abort: () => undefined } as unknown as ReturnType<Transport['forward']>;
    },
  };
  return { usable: true, draining: false, weight: 1, outstanding: 0, transport } as unknown as Backend;
}

function lineOf(family: Family): string {
  const samples = [...family.samples()].map(({ labels, value }) => ({
    labels,
    value: typeof value === 'number' ? value : { counts: Array.from(value.counts), sum: value.sum, count: value.count },
  }));
  return JSON.stringify({ head: { ...family }, samples });
}

function counted(count: number): Counter {
  const counter = new Counter('decisions_total', 'help', ['name']);
  counter.addMany(count, 'a');
  return counter;
}

function gauge(name: string, value: number, merged?: MergeRule): Family {
  return gaugeFamily({ name, help: 'help', labelNames: [], merged }, () => [[[], value]]);
}

async function linesOf(metrics: BackendMetrics, own: readonly Family[]): Promise<string[]> {
  await metrics.refresh();
  return sampleLines(...atOnce(metrics.merge(own)));
}

describe('BackendMetrics', () => {
  test('sums counters and histograms of all processes, also those of backends alone', async () => {
    const seconds = new Histogram('wait_seconds', 'help', [], [1]);
    seconds.observe(0.5);
    seconds.observe(3);
    const pools = [
      new BackendPool('core', [backendOf({ processId: 'a', families: [counted(2), seconds] })]),
      new BackendPool('extensions', [backendOf({ processId: 'b', families: [counted(4), seconds] })]),
    ];
    assert.deepEqual(await linesOf(new BackendMetrics(pools), [counted(1)]), [
      'decisions_total{name="a"} 7',
      'wait_seconds_bucket{le="1"} 2',
      'wait_seconds_bucket{le="+Inf"} 4',
      'wait_seconds_sum 7',
      'wait_seconds_count 4',
    ]);
  });

  test('keeps the counts of processes that are gone, and not their gauges', async () => {
    const process = { processId: 'a', families: [counted(5), gauge('size', 3, 'sum')] };
    const metrics = new BackendMetrics([new BackendPool('core', [backendOf(process)])]);
    assert.deepEqual(await linesOf(metrics, []), ['decisions_total{name="a"} 5', 'size 3']);
    for (let restart = 1; restart <= 40; restart++) {
      process.processId = `restarted ${restart}`;
      process.families.splice(0, 2, counted(1), gauge('size', 1, 'sum'));
      assert.deepEqual(await linesOf(metrics, []), [`decisions_total{name="a"} ${5 + restart}`, 'size 1']);
    }
  });

  test('counts a process once that comes back after others have gone', async () => {
    const seconds = (): Histogram => new Histogram('wait_seconds', 'help', [], [1]);
    const first = { counter: counted(5), seconds: seconds() };
    first.seconds.observe(0.5);
    const process: TestProcess = { processId: 'first', families: [first.counter, first.seconds] };
    const metrics = new BackendMetrics([new BackendPool('core', [backendOf(process)])]);
    await linesOf(metrics, []);
    for (let restart = 1; restart <= 20; restart++) {
      process.processId = `restarted ${restart}`;
      process.families.splice(0, 2, counted(1), seconds());
      await linesOf(metrics, []);
    }
    const shown = (decisions: number, waits: number): string[] => [
      `decisions_total{name="a"} ${decisions}`,
      `wait_seconds_bucket{le="1"} ${waits}`,
      `wait_seconds_bucket{le="+Inf"} ${waits}`,
      `wait_seconds_sum ${waits / 2}`,
      `wait_seconds_count ${waits}`,
    ];
    first.counter.addMany(3, 'a');
    process.processId = 'first';
    process.families.splice(0, 2, first.counter, first.seconds);
    assert.deepEqual(await linesOf(metrics, []), shown(25, 1));
    first.counter.addMany(2, 'a');
    first.seconds.observe(0.5);
    assert.deepEqual(await linesOf(metrics, []), shown(27, 2));
    for (let restart = 21; restart <= 60; restart++) {
      process.processId = `restarted ${restart}`;
      process.families.splice(0, 2, counted(1), seconds());
      assert.deepEqual(await linesOf(metrics, []), shown(27 + restart - 20, 2));
    }
  });

  test('merges gauges as they say', async () => {
    const gauges = (value: number): Family[] => [
      gauge('own', value),
      gauge('latest', value, 'max'),
      gauge('size', value, 'sum'),
      gauge('objects', value, 'first'),
    ];
    const pool = new BackendPool('core', [backendOf({ processId: 'a', families: gauges(5).slice(1) })]);
    assert.deepEqual(await linesOf(new BackendMetrics([pool]), gauges(2)), [
      'latest 5',
      'objects 2',
      'own 2',
      'size 7',
    ]);
  });

  test('counts from zero on after a reset, and forgets processes that are gone', async () => {
    const process = { processId: 'a', families: [counted(5)] };
    const metrics = new BackendMetrics([new BackendPool('core', [backendOf(process)])]);
    await linesOf(metrics, []);
    process.processId = 'restarted';
    assert.deepEqual(await linesOf(metrics, []), ['decisions_total{name="a"} 10']);
    await metrics.reset();
    assert.deepEqual(await linesOf(metrics, []), []);
    process.families.splice(0, 1, counted(1));
    assert.deepEqual(await linesOf(metrics, []), ['decisions_total{name="a"} 1']);
  });

  test('counts a backend that hangs as before', async () => {
    const process = { processId: 'a', families: [counted(5)] };
    const backend = backendOf(process);
    const metrics = new BackendMetrics([new BackendPool('core', [backend])]);
    await linesOf(metrics, []);
    backend.transport.forward = () => ({ abort: () => undefined }) as unknown as ReturnType<Transport['forward']>;
    assert.deepEqual(await linesOf(metrics, [counted(1)]), ['decisions_total{name="a"} 6']);
  });
});
