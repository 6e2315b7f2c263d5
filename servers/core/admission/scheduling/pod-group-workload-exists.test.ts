import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Priority } from '#servers/core/admission/pods/priority.ts';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { PodGroupWorkloadExists } from './pod-group-workload-exists.ts';

const ofGroup = (spec: JsonObject): AdmissionAttributes =>
  podAttributes({
    resource: { group: 'scheduling.k8s.io', version: 'v1alpha2', resource: 'podgroups' },
    namespace: 'default',
    name: 'g',
    object: { metadata: { name: 'g', namespace: 'default' }, spec },
  });

describe('admission of PodGroups', () => {
  test('refuses a group whose workload or template does not exist or is being deleted', async () => {
    const caches = new FakeCaches();
    const spec = { podGroupTemplates: [{ name: 'a' }] };
    caches.put('scheduling.k8s.io', 'workloads', { metadata: { name: 'w', namespace: 'default' }, spec });
    caches.put('scheduling.k8s.io', 'workloads', {
      metadata: { name: 'going', namespace: 'default', deletionTimestamp: '2026-01-01T00:00:00Z' },
      spec,
    });
    const refusal = async (workloadName: string, podGroupTemplateName: string): Promise<string | undefined> =>
      (
        await refusalOf(
          new PodGroupWorkloadExists(caches),
          ofGroup({ podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } } }),
        )
      )?.message?.split('PodGroup rejected: ')[1];
    assert.equal(await refusal('w', 'a'), undefined);
    assert.equal(await refusal('w', 'b'), 'PodGroupTemplate "b" not found in Workload "w"');
    assert.equal(await refusal('none', 'a'), 'Workload "none" not found');
    assert.equal(await refusal('going', 'a'), 'Workload "going" is being deleted');
  });

  test('sets the priority of the priority class and refuses another priority', async () => {
    const caches = new FakeCaches();
    caches.put('scheduling.k8s.io', 'priorityclasses', { metadata: { name: 'k' }, value: 3 });
    const attributes = ofGroup({ priorityClassName: 'k' });
    assert.equal(await refusalOf(new Priority(caches, true), attributes), undefined);
    assert.deepEqual(attributes.object?.['spec'], { priorityClassName: 'k', priority: 3 });
    assert.match(
      (await refusalOf(new Priority(caches, true), ofGroup({ priorityClassName: 'k', priority: 4 })))?.message ?? '',
      /priority set in the pod group \(4\) must match the priority computed \(3\)/,
    );
    assert.equal(new Priority(caches).handles('CREATE', { group: 'scheduling.k8s.io', resource: 'podgroups' }), false);
  });
});
