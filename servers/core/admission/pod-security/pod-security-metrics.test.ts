import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readPodSecurityConfiguration } from '#shared/admission/configuration/pod-security-configuration.ts';
import { pod, podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { countedBy } from '#shared/observability/exposition/testing/counted-by.ts';
import { PodSecurity } from './pod-security.ts';

function judging(labels: Record<string, string>, exemptNamespaces: readonly string[] = []): PodSecurity {
  const caches = new FakeCaches();
  const prefixed = Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]);
  caches.put('', 'namespaces', { metadata: { name: 'a', labels: Object.fromEntries(prefixed) } });
  const configuration = readPodSecurityConfiguration(undefined);
  return new PodSecurity(caches, { ...configuration, exemptNamespaces: new Set(exemptNamespaces) });
}

const evaluation = (decision: string, mode: string, level: string, version = 'latest'): string =>
  `pod_security_evaluations_total{decision="${decision}",mode="${mode}",policy_level="${level}",policy_version="${version}",request_operation="create",resource="pod",subresource=""} 1`;

describe('metrics of PodSecurity', () => {
  test('count the verdict of the enforced level, and denials of the others', async () => {
    const plugin = judging({ enforce: 'privileged', audit: 'baseline', warn: 'baseline', 'warn-version': 'v1.20' });
    const violating = podAttributes({ object: pod({ hostPID: true }) });
    assert.deepEqual(await countedBy('pod_security_', () => refusalOf(plugin, violating)), [
      evaluation('allow', 'enforce', 'privileged'),
      evaluation('deny', 'audit', 'baseline'),
      evaluation('deny', 'warn', 'baseline', 'v1.20'),
    ]);
  });

  test('count a refusal without the warning that it saves, and a version to come as one', async () => {
    const plugin = judging({ enforce: 'baseline', 'enforce-version': 'v1.99' });
    const violating = podAttributes({ object: pod({ hostPID: true }) });
    assert.deepEqual(await countedBy('pod_security_', () => refusalOf(plugin, violating)), [
      evaluation('deny', 'enforce', 'baseline', 'future'),
    ]);
  });

  test('count exempt requests, and labels that cannot be read', async () => {
    const exempt = judging({ enforce: 'baseline' }, ['a']);
    const request = podAttributes({ object: pod({ hostPID: true }) });
    assert.deepEqual(await countedBy('pod_security_', () => refusalOf(exempt, request)), [
      'pod_security_exemptions_total{request_operation="create",resource="pod",subresource=""} 1',
    ]);
    assert.deepEqual(await countedBy('pod_security_errors', () => refusalOf(judging({ enforce: 'x' }), request)), [
      'pod_security_errors_total{fatal="false",request_operation="create",resource="pod",subresource=""} 1',
    ]);
  });
});
