import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { cpuToPprof, delaysToPprof } from './cpu-pprof.ts';
import type { PprofBuilder } from './pprof-builder.ts';
import type { CpuProfile } from './record-profiles.ts';

const names = ['(root)', '(idle)', 'outer', 'inner', ''];

/** A profile of functions by their number in {@link names}, each seen for so many ms: 2 calls 3, 4 stands alone. */
function profileOf(samples: readonly (readonly [name: number, ms: number])[]): CpuProfile {
  const children: Record<number, number[]> = { 0: [1, 2, 4], 2: [3] };
  const nodes = names.map((functionName, id) => ({
    id,
    callFrame: { functionName, scriptId: '1', url: 'file.js', lineNumber: id, columnNumber: 0 },
    children: children[id] ?? [],
  }));
  // Each delta lies before its sample.
  const timeDeltas = [0, ...samples.slice(0, -1).map(([, ms]) => ms * 1000)];
  const endTime = samples.reduce((sum, [, ms]) => sum + ms * 1000, 0);
  return { nodes, samples: samples.map(([name]) => name), timeDeltas, startTime: 0, endTime };
}

/** The stacks of a profile with their values: `inner < outer`. */
async function stacksOf(steps: Steps<PprofBuilder>): Promise<Record<string, readonly number[]>> {
  const {
    sample,
    location,
    function: functions,
    stringTable,
  } = Profile.decode(gunzipSync(await (await inSlices(steps)).encode()));
  const nameOf = (id: unknown): string => {
    const { line } = location.find((each) => each.id === id) ?? assert.fail();
    const { name } = functions.find((each) => each.id === line[0]?.functionId) ?? assert.fail();
    return stringTable.strings[Number(name)] ?? '';
  };
  return Object.fromEntries(
    sample.map(({ locationId, value }) => [locationId.map(nameOf).join(' < '), value.map(Number)]),
  );
}

describe('cpuToPprof', () => {
  test('adds up the time of each stack, and leaves out what is idle', async () => {
    const profile = profileOf([
      [3, 2],
      [1, 50],
      [3, 3],
      [2, 1],
      [4, 4],
    ]);
    assert.deepEqual(await stacksOf(cpuToPprof(profile)), {
      'inner < outer': [2, 5_000_000],
      outer: [1, 1_000_000],
      '(anonymous)': [1, 4_000_000],
    });
  });
});

describe('delaysToPprof', () => {
  test('shows turns of the event loop above 10 ms, whole, and no others', async () => {
    const profile = profileOf([
      [3, 6],
      [1, 1],
      [3, 8],
      [2, 4],
      [1, 50],
      [4, 9],
    ]);
    assert.deepEqual(await stacksOf(delaysToPprof(profile)), {
      'inner < outer': [1, 8_000_000],
      outer: [1, 4_000_000],
    });
  });
});
