import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { countShortLived } from './short-lived-bytes.ts';

const pieceBytes = 64 * 1024;
const pieces = 16_384;

/** How often V8 collected its whole heap while 1 GiB of buffers came and went. */
async function wholeCollections(count: (bytes: number) => void): Promise<number> {
  let found = 0;
  const note = (entries: readonly PerformanceEntry[]): void => {
    for (const entry of entries)
      if (
        (entry as PerformanceEntry & { detail: { kind: number } }).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
      )
        found++;
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  for (let at = 0; at < pieces; at++) {
    Buffer.allocUnsafeSlow(pieceBytes);
    count(pieceBytes);
    if (at % 64 === 0) await turn();
  }
  await turn();
  note(observer.takeRecords());
  observer.disconnect();
  return found;
}

test('short-lived buffers that are counted do not make V8 collect its whole heap', async () => {
  const alone = await wholeCollections(() => undefined);
  const counted = await wholeCollections(countShortLived);
  assert.ok(alone >= 4, `${alone} without counting`);
  assert.ok(counted * 2 <= alone, `${counted} of ${alone}`);
});
