import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates as gates } from '#servers/core/testing/default-dependencies.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { dropDisabledFields, type GatedFields } from './disabled-fields.ts';

const off = { ...gates, EnvFiles: false, ContainerStopSignals: false };
const table: readonly GatedFields[] = [
  { gates: ['EnvFiles'], fields: ['spec.a', 'spec.items[].b', 'spec.map{}.c'] },
  { gates: ['ContainerStopSignals'], fields: ['spec.items[].lifecycle.stopSignal'], emptyParentsGo: true },
  { gates: ['PodLevelResources', 'EnvFiles'], fields: ['spec.both'], usedBy: ['spec.used'] },
];

function dropped(object: JsonObject, old?: JsonObject): JsonObject {
  dropDisabledFields(table, off)?.(object, old);
  return object;
}

describe('dropDisabledFields', () => {
  test('removes fields of disabled features, also in lists and maps', () => {
    assert.deepEqual(dropped({ spec: { a: 1, items: [{ b: 1, d: 2 }, {}], map: { x: { c: 1, d: 2 } }, e: 3 } }), {
      spec: { items: [{ d: 2 }, {}], map: { x: { d: 2 } }, e: 3 },
    });
  });

  test('keeps the fields when the old object uses one of them', () => {
    const object = { spec: { a: 1, items: [{ b: 1 }] } };
    assert.deepEqual(dropped(structuredClone(object), { spec: { map: { x: { c: 0 } } } }), object);
    assert.deepEqual(dropped(structuredClone(object), { spec: { map: { x: {} } } }), { spec: { items: [{}] } });
  });

  test('removes a field of two gates when one is off, unless a usedBy field of the old object is set', () => {
    assert.deepEqual(dropped({ spec: { both: 1 } }, { spec: { both: 1 } }), { spec: {} });
    assert.deepEqual(dropped({ spec: { both: 1 } }, { spec: { used: ['x'] } }), { spec: { both: 1 } });
    assert.deepEqual(dropped({ spec: { both: 1 } }, { spec: { used: [] } }), { spec: {} });
  });

  test('removes parents that become empty up to their list item', () => {
    const object = {
      spec: {
        items: [
          { lifecycle: { stopSignal: 'SIGTERM' } },
          { lifecycle: { stopSignal: 'SIGTERM', preStop: {} } },
          { lifecycle: {} },
        ],
      },
    };
    assert.deepEqual(dropped(object), { spec: { items: [{}, { lifecycle: { preStop: {} } }, { lifecycle: {} }] } });
  });

  test('returns undefined when every gate is on', () => {
    assert.equal(
      dropDisabledFields(table, { ...gates, EnvFiles: true, ContainerStopSignals: true, PodLevelResources: true }),
      undefined,
    );
  });
});
