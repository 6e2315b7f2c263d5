import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultGates as gates } from '#servers/core/testing/default-parts.ts';
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

test('fields of features that are off go, in lists and maps too', () => {
  assert.deepEqual(dropped({ spec: { a: 1, items: [{ b: 1, d: 2 }, {}], map: { x: { c: 1, d: 2 } }, e: 3 } }), {
    spec: { items: [{ d: 2 }, {}], map: { x: { d: 2 } }, e: 3 },
  });
});

test('they stay where the old object has any of them', () => {
  const object = { spec: { a: 1, items: [{ b: 1 }] } };
  assert.deepEqual(dropped(structuredClone(object), { spec: { map: { x: { c: 0 } } } }), object);
  assert.deepEqual(dropped(structuredClone(object), { spec: { map: { x: {} } } }), { spec: { items: [{}] } });
});

test('a feature of two gates is off when one of them is; another field may tell that it is used', () => {
  assert.deepEqual(dropped({ spec: { both: 1 } }, { spec: { both: 1 } }), { spec: {} });
  assert.deepEqual(dropped({ spec: { both: 1 } }, { spec: { used: ['x'] } }), { spec: { both: 1 } });
  assert.deepEqual(dropped({ spec: { both: 1 } }, { spec: { used: [] } }), { spec: {} });
});

test('parents that are left with nothing go as far as their list, others stay', () => {
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

test('nothing is made where every feature is on', () => {
  assert.equal(
    dropDisabledFields(table, { ...gates, EnvFiles: true, ContainerStopSignals: true, PodLevelResources: true }),
    undefined,
  );
});
