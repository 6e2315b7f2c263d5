import assert from 'node:assert/strict';
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { countShortLived } from './short-lived-bytes.ts';

const pieceBytes = 64 * 1024;
const mebibyte = 1024 * 1024;

describe('countShortLived', () => {
  test('runs a minor garbage collection after each 32 MiB of short-lived buffers', async () => {
    let collections = 0;
    const note = (entries: readonly PerformanceEntry[]): void => {
      for (const entry of entries) {
        const { kind } = (entry as PerformanceEntry & { detail: { kind: number } }).detail;
        if (kind === constants.NODE_PERFORMANCE_GC_MINOR) collections++;
      }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ entryTypes: ['gc'] });
    const begun = performance.now();
    for (let bytes = 0; bytes < 1024 * mebibyte; bytes += pieceBytes) countShortLived(pieceBytes);
    const tookMs = performance.now() - begun;
    await turn();
    note(observer.takeRecords());
    observer.disconnect();
    // Nothing else in the loop allocates, so that V8 itself has no reason to collect.
    assert.ok(collections >= 32, `${collections} collections`);
    assert.ok(tookMs < 32 * 100, `${tookMs} ms`);
  });
});
