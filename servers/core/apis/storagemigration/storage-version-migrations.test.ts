import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import { storageVersionMigrationStrategy as strategy } from './storage-version-migrations.ts';

const context = {} as OperationContext;
const migration = (resource: JsonObject, status: JsonObject = {}): KubeObject => ({
  metadata: { name: 'm' },
  spec: { resource },
  status,
});
const condition = (type: string, status = 'True'): JsonObject => ({
  type,
  status,
  reason: 'Fine',
  message: '',
  lastTransitionTime: '2020-01-01T00:00:00Z',
});
const pods = { resource: 'pods' };

async function statusFaults(status: JsonObject, before: JsonObject = {}): Promise<string[]> {
  return ((await strategy.validateStatusUpdate?.(migration(pods, status), migration(pods, before), context)) ?? []).map(
    (error) => fieldErrorText(error),
  );
}

describe('StorageVersionMigration strategy', () => {
  test('requires a resource and refuses to change it', () => {
    assert.deepEqual(strategy.validate?.(migration({ group: 'apps', resource: 'deployments' }), context), []);
    assert.deepEqual(
      strategy.validate?.(migration({}), context).map((error) => fieldErrorText(error)),
      ['spec.resource.resource: Required value: resource is required to be set'],
    );
    assert.deepEqual(
      strategy
        .validateUpdate?.(migration({ resource: 'nodes' }), migration(pods), context)
        .map((error) => fieldErrorText(error)),
      ['spec: Invalid value: {"Resource":{"group":"","resource":"nodes"}}: field is immutable'],
    );
  });

  test('keeps the final condition and the resource version of the status', async () => {
    assert.deepEqual(await statusFaults({ resourceVersion: '7' }), []);
    assert.deepEqual(await statusFaults({ resourceVersion: '07' }), [
      'status.resourceVersion: Invalid value: "07": resource version is not well formed: 07',
    ]);
    assert.deepEqual(await statusFaults({}, { resourceVersion: '7' }), [
      'status.resourceVersion: Invalid value: "": field is immutable',
    ]);
    assert.deepEqual(await statusFaults({}, { conditions: [condition('Failed')] }), [
      'status.conditions: Invalid value: null: Failed condition cannot be set to false once it is true',
    ]);
    assert.match(
      (await statusFaults({ conditions: [condition('Succeeded'), condition('Failed')] }))[0] ?? '',
      /^status\.conditions: Invalid value: \[\{"type":"Succeeded","status":"True","lastTransitionTime":.*Both success and failed conditions cannot be true at the same time$/,
    );
  });
});
