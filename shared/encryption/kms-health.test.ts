import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { graceMs, kmsChecks } from './kms-health.ts';
import { identityTransformer } from './providers/local-transformers.ts';
import type { OpenedKms } from './providers/opened-providers.ts';

function kms(apiVersion: 'v1' | 'v2', fault?: string): OpenedKms {
  const provider = { prefix: 'k8s:enc:kms:', transformer: identityTransformer, health: async () => fault };
  return { provider, apiVersion, timeoutMs: 3_000 };
}

const names = (providers: readonly OpenedKms[], isReloaded: boolean): string[] =>
  kmsChecks(() => providers, isReloaded).map(({ name }) => name);

describe('kmsChecks', () => {
  test('has no check without KMS, unless the file is followed', async () => {
    assert.deepEqual(names([], false), []);
    assert.deepEqual(names([], true), ['kms-providers']);
    assert.equal(await kmsChecks(() => [], true)[0]?.check(), undefined);
  });

  test('has one check of all where all are of v2 or the file is followed, and otherwise one of each', () => {
    assert.deepEqual(names([kms('v2'), kms('v2')], false), ['kms-providers']);
    assert.deepEqual(names([kms('v2'), kms('v1')], true), ['kms-providers']);
    assert.deepEqual(names([kms('v2'), kms('v1')], false), ['kms-provider-0', 'kms-provider-1']);
  });

  test('names the provider that is wrong', async () => {
    const [check] = kmsChecks(() => [kms('v2'), kms('v2', 'away'), kms('v2', 'gone')], false);
    assert.equal(await check?.check(), '[kms-provider-1: away, kms-provider-2: gone]');
  });
});

describe('graceMs', () => {
  test('counts each provider twice, and v1 four times', () => {
    assert.equal(graceMs([kms('v2'), kms('v1')]), 18_000);
  });
});
