import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { listAt, numberAt, objectAt, objectsAt, stringAt, valueAt } from '#shared/apimachinery/object.ts';
import { AgeClock } from '#shared/serializer/table/age-clock.ts';
import { renderCells } from '#shared/serializer/table/cells.ts';
import { columnsOf } from '#shared/serializer/table/table-row.ts';
import { rowsOfKind } from './rows-of-kinds.ts';

/** Objects beside the rows that the reference's printers made of them (test/recorders/table-rows). */
function readData(name: string): JsonObject {
  const text = readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), 'utf8');
  return { data: JSON.parse(text) as JsonObject };
}
const expected = objectAt(readData('expected'), 'data') ?? {};
const clock = new AgeClock(numberAt(expected, 'nowMs') ?? 0);

describe('table rows', () => {
  objectsAt(readData('inputs'), 'data').forEach((object, i) => {
    const apiVersion = stringAt(object, 'apiVersion');
    const kind = parseGroupVersionKind(apiVersion, stringAt(object, 'kind'));
    test(`show ${apiVersion} ${kind.kind} ${stringAt(object, 'metadata', 'name')} as recorded (${i})`, () => {
      const wanted = listAt(expected, 'rows')[i];
      const row = rowsOfKind(kind).print(object);
      assert.deepEqual(renderCells(row, clock), valueAt(wanted, 'cells'));
      assert.deepEqual(row.conditions ?? null, valueAt(wanted, 'conditions') ?? null);
    });
  });

  test('show name and creation time of a kind without a printer', () => {
    const row = rowsOfKind({ group: 'rbac.authorization.k8s.io', kind: 'Role' }).print({
      metadata: { name: 'r', creationTimestamp: '2020-01-01T00:00:00Z' },
    });
    assert.deepEqual(renderCells(row, new AgeClock(0)), ['r', '2020-01-01T00:00:00Z']);
    assert.deepEqual(
      columnsOf({ group: 'x.io', kind: 'Foo' }, []).map(({ name }) => name),
      ['Name', 'Created At'],
    );
  });

  test('show why an APIService is unavailable', () => {
    const status = { conditions: [{ type: 'Available', status: 'False', reason: 'ServiceNotFound' }] };
    const object = { metadata: { name: 'v1.x' }, spec: { service: { namespace: 'n', name: 's' } }, status };
    const row = rowsOfKind({ group: 'apiregistration.k8s.io', kind: 'APIService' }).print(object);
    assert.deepEqual(renderCells(row, new AgeClock(0)), ['v1.x', 'n/s', 'False (ServiceNotFound)', '<unknown>']);
  });
});
