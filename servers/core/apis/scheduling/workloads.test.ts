import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates as gates } from '#servers/core/testing/default-dependencies.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { workloadStrategy } from './workloads.ts';

const strategy = workloadStrategy({ ...gates, WorkloadAwarePreemption: false });
const basic = { schedulingPolicy: { basic: {} } };
const workload = (...podGroupTemplates: JsonObject[]): KubeObject =>
  asKubeObject({ metadata: { name: 'w', namespace: 'default' }, spec: { podGroupTemplates } });

describe('Workload strategy', () => {
  test('drops fields of disabled features from a template unless the old template has them', () => {
    const made = workload({ name: 'a', priority: 3, ...basic }, { name: 'b', disruptionMode: 'Pod', ...basic });
    strategy.prepareForCreate?.(made, systemContext());
    assert.deepEqual(objectsAt(made, 'spec', 'podGroupTemplates'), [
      { name: 'a', ...basic },
      { name: 'b', ...basic },
    ]);
    const changed = workload({ name: 'a', priority: 3, ...basic }, { name: 'b', priority: 3, ...basic });
    strategy.prepareForUpdate?.(
      changed,
      workload({ name: 'a', priority: 3, ...basic }, { name: 'b', ...basic }),
      systemContext(),
    );
    assert.deepEqual(objectsAt(changed, 'spec', 'podGroupTemplates'), [
      { name: 'a', priority: 3, ...basic },
      { name: 'b', ...basic },
    ]);
  });

  test('refuses changes of the pod group templates', () => {
    const found = strategy.validateUpdate?.(workload(), workload({ name: 'a', ...basic }), systemContext());
    assert.deepEqual(
      found?.map(({ type, field }) => [type, field]),
      [
        ['FieldValueInvalid', 'spec.podGroupTemplates'],
        ['FieldValueRequired', 'spec.podGroupTemplates'],
      ],
    );
  });
});
