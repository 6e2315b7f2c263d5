import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HealthChecks } from '#shared/server/health.ts';
import { BackendReporter } from './backend-reporter.ts';

describe('BackendReporter', () => {
  test('is ready while plugins of encryption are away, and reports their check', async () => {
    const health = new HealthChecks();
    health.add({ name: 'kms-providers', endpoints: ['healthz', 'readyz'], check: () => 'away' });
    const reporter = new BackendReporter('core', [], health);
    await reporter.untilReady();
    const { ready, checks } = reporter.source.state;
    assert.equal(ready, true);
    assert.equal(checks.find(({ name }) => name === 'kms-providers')?.ok, false);
    reporter.close();
  });
});
