import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { OldVersionDefaults } from '#shared/registry/strategy.ts';
import {
  oldDaemonSetDefaults,
  oldDeploymentDefaults,
  oldReplicaSetDefaults,
  oldStatefulSetDefaults,
} from './old-versions.ts';

function defaulted(defaults: OldVersionDefaults, apiVersion: string, spec: JsonObject): JsonObject {
  const workload: JsonObject = { metadata: {}, spec: { ...spec, template: { metadata: { labels: { app: 'a' } } } } };
  defaults.get(apiVersion)?.(workload);
  return workload;
}

// Values of pkg/apis/apps/v1beta1/defaults.go and pkg/apis/extensions/v1beta1/defaults.go.
describe('defaults of removed versions of workloads', () => {
  const ofTemplate = { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } } } };

  test('take selector and labels from the pod template, unless they are set', () => {
    assert.deepEqual(defaulted(oldReplicaSetDefaults, 'extensions/v1beta1', {}), {
      metadata: { labels: { app: 'a' } },
      spec: ofTemplate,
    });
    const selector = { matchLabels: { other: 'b' } };
    const kept = defaulted(oldReplicaSetDefaults, 'extensions/v1beta1', { selector });
    assert.deepEqual((kept['spec'] as JsonObject)['selector'], selector);
  });

  test('bound the history of apps/v1beta1 deployments to 2, and leave that of extensions/v1beta1 unbounded', () => {
    assert.deepEqual(defaulted(oldDeploymentDefaults, 'apps/v1beta1', {})['spec'], {
      ...ofTemplate,
      revisionHistoryLimit: 2,
    });
    assert.deepEqual(defaulted(oldDeploymentDefaults, 'extensions/v1beta1', {})['spec'], {
      ...ofTemplate,
      progressDeadlineSeconds: 2_147_483_647,
      revisionHistoryLimit: 2_147_483_647,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
    });
  });

  test('update stateful sets and daemon sets on deletion', () => {
    const spec = { ...ofTemplate, updateStrategy: { type: 'OnDelete' } };
    assert.deepEqual(defaulted(oldStatefulSetDefaults, 'apps/v1beta1', {})['spec'], spec);
    assert.deepEqual(defaulted(oldDaemonSetDefaults, 'extensions/v1beta1', {})['spec'], spec);
  });

  test('leave apps/v1beta2 to the defaults of the served version', () => {
    assert.equal(oldDeploymentDefaults.has('apps/v1beta2'), false);
    assert.equal(oldDaemonSetDefaults.has('apps/v1beta2'), false);
  });
});
