import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';

/** Counts a GiB of dropped buffers, and prints how many collections of young objects ran. */
const program = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  const { countShortLived } = await import(${JSON.stringify(join(import.meta.dirname, 'short-lived-bytes.ts'))});
  let collections = 0;
  const note = (entries) => {
    for (const { detail } of entries) if (detail.kind === constants.NODE_PERFORMANCE_GC_MINOR) collections++;
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  // Nothing in the loop allocates, so that V8 itself has no reason to collect.
  for (let pieces = 0; pieces < 16 * 1024; pieces++) countShortLived(64 * 1024);
  await new Promise(setImmediate);
  note(observer.takeRecords());
  console.log(collections);
`;

function collectionsWith(...flags: readonly string[]): number {
  const args = [...flags, '--import', 'tsx', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return Number(stdout);
}

describe('count of short-lived bytes', () => {
  test('collects young objects after each 32 MiB, where V8 offers its collector', () => {
    assert.equal(collectionsWith('--expose-gc'), 32);
  });

  test('collects nothing without --expose-gc', () => {
    assert.equal(collectionsWith(), 0);
  });
});
