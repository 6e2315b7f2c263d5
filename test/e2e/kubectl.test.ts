import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startAnyCluster } from '#test/any-cluster.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { compareRuns } from './kubectl/compare-runs.ts';
import { readRecording } from './kubectl/recordings.ts';
import { kubectlVersion, runScenario } from './kubectl/run-scenario.ts';
import { reading } from './kubectl/scenario/reading.ts';
import { setup } from './kubectl/scenario/setup.ts';

function onPath(program: string): boolean {
  try {
    execFileSync(program, ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('kubectl', () => {
  // Not a skipped test: without kubectl there is nothing here to be tested.
  if (onPath('kubectl')) {
    test('creates, reads and watches with the same output as against the reference', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
      const cluster = await startAnyCluster({
        flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'],
      });
      try {
        const own = readRecording(kubectlVersion('kubectl'));
        const expected = own ?? readRecording('1.36');
        assert.ok(expected);
        const run = await runScenario(
          'kubectl',
          { url: cluster.url, token: adminToken },
          [...setup, ...reading],
          false,
        );
        assert.deepEqual(compareRuns(expected, run, own !== undefined), []);
      } finally {
        await cluster.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  } else {
    console.log('!!! LEFT OUT: no kubectl on PATH, so nothing is tested with it here');
  }
});
