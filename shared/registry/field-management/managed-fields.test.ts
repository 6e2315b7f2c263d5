import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ManagedFieldsEntry, ObjectMeta } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeManagedFields, encodeManagedFields, isReset, secondsOf } from './managed-fields.ts';

const entry = (more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': {} },
  ...more,
});

// As apimachinery/pkg/util/managedfields/internal/managedfields.go.
describe('isReset', () => {
  const cases: [what: string, entries: ManagedFieldsEntry[] | undefined, isReset: boolean][] = [
    ['an empty list', [], true],
    ['one empty entry', [{}], true],
    ['two empty entries', [{}, {}], false],
    ['one entry', [entry()], false],
    ['an empty entry beside another', [{}, entry()], false],
    ['no list', undefined, false],
  ];
  for (const [what, entries, expected] of cases)
    test(`is ${expected} for ${what}`, () => assert.equal(isReset(entries), expected));
});

describe('decodeManagedFields', () => {
  const refused: [entry: ManagedFieldsEntry, message: string][] = [
    [entry({ operation: 'Delete' }), 'operation must be `Apply` or `Update`'],
    [entry({ apiVersion: '' }), 'apiVersion must not be empty'],
    [entry({ fieldsType: '' }), 'missing fieldsType in managed fields entry 1'],
    [entry({ fieldsType: 'FieldsV2' }), 'invalid fieldsType "FieldsV2" in managed fields entry 1'],
  ];
  for (const [wrong, message] of refused)
    test(`refuses an entry: ${message}`, () => {
      assert.throws(() => atOnce(decodeManagedFields([entry(), wrong])), { message });
    });
});

describe('encodeManagedFields', () => {
  /** The entries that are written after these were read. */
  function written(...entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] | undefined {
    const metadata: ObjectMeta = { managedFields: [entry()] };
    atOnce(encodeManagedFields(metadata, atOnce(decodeManagedFields(entries))));
    return metadata.managedFields;
  }

  test('writes what was read, in the order of operation, time, manager, version and subresource', () => {
    const ordered = [
      entry({ operation: 'Apply', time: '2026-01-01T00:00:05Z' }),
      entry({ operation: 'Apply', manager: 'n', time: '2026-01-01T00:00:06Z' }),
      entry({ manager: 'z', time: '2026-01-01T00:00:01Z' }),
      entry({ manager: 'a', time: '2026-01-01T00:00:02Z' }),
      entry({ manager: 'b', time: '2026-01-01T00:00:02Z' }),
      entry({ manager: 'b', apiVersion: 'v2', time: '2026-01-01T00:00:02Z' }),
      entry({ manager: 'b', apiVersion: 'v2', time: '2026-01-01T00:00:02Z', subresource: 'status' }),
    ];
    assert.deepEqual(written(...ordered.toReversed()), ordered);
  });

  test('writes no list where there are no managers', () => {
    assert.equal(written(), undefined);
  });
});

describe('secondsOf', () => {
  test('counts whole seconds, and none without a time', () => {
    assert.deepEqual(
      [undefined, '', '1970-01-01T00:00:01Z', '1970-01-01T00:00:01.999Z', '1969-12-31T23:59:59Z'].map(secondsOf),
      [0, 0, 1, 1, -1],
    );
  });
});
