import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { JobValidation } from './job-validation.ts';

function job(parallelism: number, podSpec: JsonObject = {}): KubeObject {
  return asKubeObject({
    metadata: { name: 'j', namespace: 'default', uid: 'u' },
    spec: { parallelism, template: { spec: podSpec } },
  });
}

describe('JobValidation', () => {
  test('refuses a new parallelism only for a Job in a gang-scheduled PodGroup', async () => {
    const caches = new FakeCaches();
    const group = (name: string, policy: JsonObject, uid: string): unknown =>
      caches.put('scheduling.k8s.io', 'podgroups', {
        metadata: {
          name,
          namespace: 'default',
          ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid, controller: true }],
        },
        spec: { schedulingPolicy: policy },
      });
    group('gang', { gang: { minCount: 2 } }, 'u');
    group('basic', { basic: {} }, 'other');
    const change = (to: number, podSpec?: JsonObject): ReturnType<typeof refusalOf> =>
      refusalOf(new JobValidation(caches), {
        ...podAttributes({ operation: 'UPDATE', object: job(to, podSpec), oldObject: job(2, podSpec) }),
        resource: { group: 'batch', version: 'v1', resource: 'jobs' },
      });
    assert.equal(await change(2), undefined);
    assert.match(
      (await change(3))?.message ?? '',
      /cannot change parallelism for a Job referencing gang-scheduled PodGroup "gang"$/,
    );
    assert.equal(await change(3, { schedulingGroup: { podGroupName: 'basic' } }), undefined);
    assert.equal(await change(3, { schedulingGroup: { podGroupName: 'gone' } }), undefined);
  });
});
