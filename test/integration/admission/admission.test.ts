import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAnyCluster, type AnyCluster } from '#test/any-cluster.ts';
import { prepareFlags } from './flags.ts';
import { scenario } from './scenario.ts';
import { send, type Step, type StepAnswer } from './step.ts';
import { adminToken } from './tokens.ts';

const recorded = JSON.parse(
  readFileSync(new URL('gen/reference.json', import.meta.url), 'utf8'),
) as readonly StepAnswer[];
const tries = 10;
const retryMs = 50;

let cluster: AnyCluster;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'admission-'));
  cluster = await startAnyCluster({
    flags: [...prepareFlags(folder), '--allow-privileged=true'],
  });
});

after(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Plugins learn of new objects a moment later, as those of the reference do. */
async function settled(step: Step, expected: StepAnswer | undefined): Promise<StepAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await send({ url: cluster.url, token: adminToken }, step);
    if (attempt === tries || step.settles !== true || JSON.stringify(answer) === JSON.stringify(expected))
      return answer;
    await sleep(retryMs);
  }
}

describe('admission plugins', () => {
  test('have a recorded answer of the reference for every step', () => {
    assert.equal(recorded.length, scenario.length, 'record the scenario again');
  });

  for (const [index, step] of scenario.entries()) {
    const expected = recorded[index];
    test(`answer ${expected?.code} to ${step.method} ${step.path} (${step.name})`, async () =>
      assert.deepEqual(await settled(step, expected), expected));
  }
});
