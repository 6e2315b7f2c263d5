import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { podGroupStrategy } from './pod-groups.ts';

const group = (spec: JsonObject, status: JsonObject = {}): KubeObject =>
  asKubeObject({ metadata: { name: 'g', namespace: 'default' }, spec, status });
const gang: JsonObject = { schedulingPolicy: { gang: { minCount: 2 } } };

describe('PodGroup strategy', () => {
  test('defaults the disruption mode to Pod', () => {
    const made = group(gang);
    podGroupStrategy(defaultDependencies).applyDefaults?.(made);
    assert.equal(objectAt(made, 'spec')?.['disruptionMode'], 'Pod');
  });

  test('refuses changes of the scheduling policy and resource claims', () => {
    const found = podGroupStrategy(defaultDependencies).validateUpdate?.(
      group({ schedulingPolicy: { basic: {} }, resourceClaims: [{ name: 'c', resourceClaimName: 'x' }] }),
      group(gang),
      systemContext(),
    );
    assert.deepEqual(found?.map(fieldErrorText), [
      'spec.schedulingPolicy: Invalid value: null: field is immutable',
      'spec.resourceClaims: Invalid value: null: field is immutable',
    ]);
  });

  test('requires unique claim names of the spec in the status', async () => {
    const spec = { ...gang, resourceClaims: [{ name: 'c', resourceClaimName: 'x' }] };
    const found = await podGroupStrategy(defaultDependencies).validateStatusUpdate?.(
      group(spec, { resourceClaimStatuses: [{ name: 'c' }, { name: 'd' }, { name: 'c' }] }),
      group(spec),
      systemContext(),
    );
    assert.deepEqual(found?.map(fieldErrorText), [
      'status.resourceClaimStatuses[1].name: Invalid value: "d": must match the name of an entry in `spec.resourceClaims`',
      'status.resourceClaimStatuses[2]: Duplicate value: {"name":"c"}',
    ]);
  });
});
