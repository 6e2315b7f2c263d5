import assert from 'node:assert/strict';
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { describe, test } from 'node:test';
import { collectBySteps, MemoryReturn } from './memory-return.ts';

const mebibyte = 1024 * 1024;

/** A process as its tests set it: `look` tells whether a collection began, `trims` how often memory was given back. */
function watched(): { look: (mebibytes: number | undefined, utilization?: number) => boolean; trims: () => number } {
  let resident: number | undefined;
  let [busy, collections, trims] = [0, 0, 0];
  const memory = new MemoryReturn({
    residentBytes: () => (resident === undefined ? undefined : resident * mebibyte),
    utilization: () => busy,
    collect: () => void collections++,
    trim: () => void trims++,
  });
  return {
    trims: () => trims,
    look(mebibytes, utilization = 0) {
      [resident, busy] = [mebibytes, utilization];
      const before = collections;
      memory.look();
      return collections > before;
    },
  };
}

describe('MemoryReturn', () => {
  test('collects the heap four times after growth, then rests while memory stays in use', () => {
    const { look } = watched();
    const sizes = [100, 110, 300, 250, 240, 240, 240, 240, 250];
    assert.deepEqual(
      sizes.map((size) => look(size)),
      [false, false, true, true, true, true, false, false, false],
    );
  });

  test('trims the allocator at the next quiet look after a collection', () => {
    const { look, trims } = watched();
    const looks: readonly (readonly [mebibytes: number, utilization: number, trims: number])[] = [
      [100, 0, 0],
      [300, 0, 0],
      [300, 0.5, 0],
      [290, 0, 1],
      [280, 0, 2],
      [270, 0, 3],
      [260, 0, 4],
      [260, 0, 4],
    ];
    for (const [mebibytes, utilization, wanted] of looks) {
      look(mebibytes, utilization);
      assert.equal(trims(), wanted);
    }
  });

  test('rests while the memory cannot be read', () => {
    const { look, trims } = watched();
    look(100);
    assert.equal(look(undefined), false);
    assert.equal(look(300), true);
    assert.equal(trims(), 0);
  });

  test('counts growth from the least memory since the collection', () => {
    const { look } = watched();
    for (const size of [100, 300, 290, 280, 270]) look(size);
    assert.equal(look(120), false);
    assert.equal(look(135), false);
    assert.equal(look(150), true);
  });

  test('collects a large process only after it has grown by a share of its size', () => {
    const { look } = watched();
    assert.equal(look(1_000), false);
    assert.equal(look(1_190), false);
    assert.equal(look(1_210), true);
  });

  test('postpones the collection of a busy process until it is quiet', () => {
    const { look } = watched();
    const busy = 0.5;
    assert.equal(look(100), false);
    assert.equal(look(300, busy), false);
    assert.equal(look(200, busy), false);
    assert.equal(look(200), true);
  });
});

describe('collectBySteps', () => {
  test('starts a collection of the whole heap that leaves turns to the event loop', async () => {
    const whole = [constants.NODE_PERFORMANCE_GC_MAJOR, constants.NODE_PERFORMANCE_GC_INCREMENTAL];
    const kinds = new Set<number>();
    const collected = new Promise<void>((resolve) => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) kinds.add(kindOf(entry));
        if (whole.some((kind) => kinds.has(kind))) resolve();
      }).observe({ entryTypes: ['gc'] });
    });
    const before = process.memoryUsage.rss();
    collectBySteps();
    assert.ok(process.memoryUsage.rss() - before < 32 * mebibyte, 'the buffer takes memory');
    // Marking goes on while the loop turns.
    const turns = setInterval(() => undefined, 1);
    await collected;
    clearInterval(turns);
  });
});

function kindOf(entry: PerformanceEntry): number {
  return (entry as PerformanceEntry & { detail: { kind: number } }).detail.kind;
}
