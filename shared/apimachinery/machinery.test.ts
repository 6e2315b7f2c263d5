import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aggregateText,
  fieldErrorText,
  invalid,
  notSupported,
  path,
  required,
  tooLong,
  tooMany,
} from './errors/field-error.ts';
import { newForbidden, newInvalid, toStatus } from './errors/status.ts';
import { generateName } from './generate-name.ts';
import { cloneJson } from './json/clone.ts';
import type { JsonObject } from './json/json.ts';
import { checkJsonPatch } from './patch/json-patch.ts';
import { deepEqual, semanticEqual, semanticEqualAs } from './schema/deep-equal.ts';
import type { Field, StructSchema } from './schema/schema.ts';
import { matchesFields, parseFieldSelector } from './selectors/fields.ts';
import { NOTHING, labelSelectorAsSelector, matchesLabels, parseLabelSelectorInSteps } from './selectors/labels.ts';
import { atOnce } from './slices/slices.ts';
import { compareUtf8 } from './text/go-format.ts';

test('field errors show strings quoted, numbers plainly and objects as JSON', () => {
  const field = path('spec').child('ports').index(0).key('k');
  assert.equal(fieldErrorText(invalid(field, 'a"b', 'bad')), 'spec.ports[0][k]: Invalid value: "a\\"b": bad');
  assert.equal(fieldErrorText(invalid(field, 1e21, '')), 'spec.ports[0][k]: Invalid value: 1e+21');
  assert.equal(fieldErrorText(invalid(undefined, { a: '<' }, 'x')), '<nil>: Invalid value: {"a":"\\u003c"}: x');
  assert.equal(
    fieldErrorText(notSupported(path('p'), 'x', ['b', 'a'])),
    'p: Unsupported value: "x": supported values: "b", "a"',
  );
  assert.equal(fieldErrorText(tooLong(path('p'), 'x', 1)), 'p: Too long: may not be more than 1 byte');
  assert.equal(fieldErrorText(tooMany(path('p'), 3, 2)), 'p: Too many: 3: must have at most 2 items');
});

test('an Invalid status lists several errors in brackets and names each cause', () => {
  const errors = [required(path('a'), ''), required(path('a'), ''), required(path('b'), 'x')];
  assert.equal(aggregateText(errors), '[a: Required value, b: Required value: x]');
  const { status } = newInvalid({ group: 'apps', kind: 'Deployment' }, 'd', errors);
  assert.equal(status.message, 'Deployment.apps "d" is invalid: [a: Required value, b: Required value: x]');
  assert.equal(status.details?.causes?.length, 3);
});

test('errors that are no Status are answered with 500', () => {
  assert.deepEqual(toStatus(new Error('boom')), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'boom',
    code: 500,
  });
  assert.equal(newForbidden({ group: '', resource: '' }, '', 'no').message, 'forbidden: no');
});

test('label selectors match by own labels only', () => {
  const labels = { a: '1', b: 'x' };
  for (const text of ['a=1', 'a in (1,2)', 'b!=y', '!c', 'a>0,a<2', 'c notin (x)', ''])
    assert.ok(matchesLabels(atOnce(parseLabelSelectorInSteps(text)), labels), text);
  for (const text of ['a=2', 'constructor', '!a', 'b>0', 'c='])
    assert.ok(!matchesLabels(atOnce(parseLabelSelectorInSteps(text)), labels), text);
  assert.ok(!matchesLabels(NOTHING, labels));
  assert.ok(!matchesLabels(labelSelectorAsSelector(undefined), labels));
  assert.ok(matchesLabels(labelSelectorAsSelector({}), labels));
  assert.throws(() => labelSelectorAsSelector({ matchExpressions: [{ key: 'a', operator: 'In' }] }), {
    message: "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
  });
});

test('a missing field counts as empty in field selectors', () => {
  assert.ok(matchesFields(parseFieldSelector('a=,b!=x'), { b: 'y' }));
  assert.ok(!matchesFields(parseFieldSelector('a=1'), {}));
});

test('equality treats absent and empty as one unless the type has a pointer', () => {
  assert.ok(!deepEqual({ a: {} }, {}));
  assert.ok(semanticEqual({ a: {}, b: [] }, {}));
  assert.ok(!semanticEqual({ a: 'x' }, {}));
  const base = { goName: '', number: 1, inline: false, omitEmpty: true, omitZero: false, required: false };
  const empty: StructSchema = { kind: 'struct', name: '', goName: '', fields: [], flat: [], byName: new Map() };
  const flat: Field[] = [
    { ...base, name: 'p', pointer: true, schema: empty },
    { ...base, name: 'v', pointer: false, schema: empty },
    { ...base, name: 'n', pointer: false, schema: { kind: 'scalar', type: 'int32' } },
    { ...base, name: 'q', pointer: false, schema: { kind: 'scalar', type: 'quantity' } },
  ];
  const schema: StructSchema = { ...empty, flat, byName: new Map(flat.map((field) => [field.name, field])) };
  assert.ok(semanticEqualAs(schema, { v: {}, n: 0, q: '1000m' }, { q: '1' }));
  assert.ok(!semanticEqualAs(schema, { p: {} }, {}));
  assert.ok(!semanticEqualAs(schema, {}, { n: 1 }));
});

test('equality looks into what is a schema or something simpler', () => {
  const base = { number: 1, inline: false, omitEmpty: true, omitZero: false, required: false, pointer: true };
  const type: Field = { ...base, name: 'type', goName: 'Type', schema: { kind: 'scalar', type: 'string' } };
  const props: StructSchema = {
    kind: 'struct',
    name: '',
    goName: 'JSONSchemaProps',
    fields: [type],
    flat: [type],
    byName: new Map([['type', type]]),
  };
  const inner: Field = { ...base, name: 'Schema', goName: 'Schema', schema: props };
  const either: StructSchema = {
    ...props,
    fields: [inner],
    flat: [inner],
    byName: new Map([['Schema', inner]]),
    jsonForm: 'orBool',
  };
  assert.ok(semanticEqualAs(either, { type: 'string' }, { type: 'string' }));
  assert.ok(!semanticEqualAs(either, { type: 'string' }, { type: 'integer' }));
  assert.ok(!semanticEqualAs(either, true, false));
  assert.ok(!semanticEqualAs(either, true, { type: 'string' }));
});

test('copies keep a key named __proto__', () => {
  const source = JSON.parse('{"__proto__":{"x":[1]}}') as JsonObject;
  const copy = cloneJson(source);
  assert.equal(JSON.stringify(copy), '{"__proto__":{"x":[1]}}');
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
});

test('strings order by their bytes', () => {
  assert.deepEqual(['\u{1f600}', '\uffff', 'a', 'B', 'ab'].sort(compareUtf8), ['B', 'a', 'ab', '\uffff', '\u{1f600}']);
});

test('generated names keep within 63 characters of the safe alphabet', () => {
  assert.match(generateName('pod-'), /^pod-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assert.equal(generateName('x'.repeat(80)).length, 63);
});

test('a JSON patch is checked for shape', () => {
  assert.throws(() => checkJsonPatch([{ op: 1 }]), {
    message: 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
  });
});
