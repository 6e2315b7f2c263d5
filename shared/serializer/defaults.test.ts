import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { applyDefaults } from './defaults.ts';

const facts = loadFacts();

function defaulted(kind: string, object: JsonObject): JsonObject {
  atOnce(applyDefaults(facts.schema('', 'v1', kind) as StructSchema, object));
  return object;
}

describe('applyDefaults', () => {
  test('sets constant defaults in every list item, but not below an absent parent', () => {
    assert.deepEqual(
      defaulted('Service', {
        spec: { ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }, { port: 1, protocol: '' }] },
      }),
      {
        spec: {
          ports: [
            { port: 80, protocol: 'TCP' },
            { port: 53, protocol: 'UDP' },
            { port: 1, protocol: 'TCP' },
          ],
        },
      },
    );
    assert.deepEqual(defaulted('Service', { spec: {} }), { spec: {} });
  });

  test('sets defaults below an absent struct that is held by value', () => {
    assert.deepEqual(defaulted('ReplicationController', {}), { spec: { replicas: 1 } });
    assert.deepEqual(defaulted('ReplicationController', { spec: { replicas: 0 } }), { spec: { replicas: 0 } });
  });
});
