import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { compareTyped } from '#shared/apimachinery/managed-fields/compare-typed.ts';
import { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import { FieldsV1Error } from '#shared/apimachinery/managed-fields/fields-v1.ts';
import { ConflictError, type Managers } from '#shared/apimachinery/managed-fields/managers.ts';
import { mergeTyped } from '#shared/apimachinery/managed-fields/merge-typed.ts';
import { withNamedFields } from '#shared/apimachinery/managed-fields/named-fields.ts';
import { reconcileFieldSet } from '#shared/apimachinery/managed-fields/reconcile-field-set.ts';
import { removeItems } from '#shared/apimachinery/managed-fields/remove-items.ts';
import {
  formatFieldsV1AtOnce,
  parseFieldsV1AtOnce,
} from '#shared/apimachinery/managed-fields/testing/fields-v1-at-once.ts';
import { toFieldSet } from '#shared/apimachinery/managed-fields/to-field-set.ts';
import { TypedValueError, type TypedValue } from '#shared/apimachinery/managed-fields/typed-value.ts';
import { Updater } from '#shared/apimachinery/managed-fields/updater.ts';
import { validateTyped } from '#shared/apimachinery/managed-fields/validate-typed.ts';
import { compareElements, pathText, type PathElement } from '#shared/apimachinery/schema/path-element.ts';
import { atOnce, paced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  RecordedViews,
  type RecordedSchemas,
  type RecordedType,
} from '#test/conformance/structured-merge-diff/recorded-schema.ts';
import { type Conversion, RecordedConverter } from './recorded-converter.ts';

/** One call of the module's tests and its answer; which members there are follows from the kind. */
interface Call {
  readonly type: RecordedType;
  readonly [member: string]: unknown;
}

type Check = (call: Call, views: RecordedViews) => void;

const checks: Readonly<Record<string, Check>> = {
  union: (call) => sameSet(setOf(call['left']).union(setOf(call['right'])), call['set']),
  intersection: (call) => sameSet(setOf(call['left']).intersection(setOf(call['right'])), call['set']),
  difference: (call) => sameSet(setOf(call['left']).difference(setOf(call['right'])), call['set']),
  recursiveDifference: (call) => sameSet(setOf(call['left']).recursiveDifference(setOf(call['right'])), call['set']),
  leaves: (call) => sameSet(setOf(call['left']).leaves(), call['set']),
  equals: (call) => assert.equal(setOf(call['left']).equals(setOf(call['right'])), call['equal']),
  has: checkHas,
  fromJSON: checkFromJson,
  parseElement: checkParseElement,
  compareElements: (call) =>
    call['left'] === '' ||
    call['right'] === '' ||
    assert.equal(Math.sign(compareElements(elementOf(call['left']), elementOf(call['right']))), call['order']),
  named: (call, views) => sameSet(withNamedFields(setOf(call['left']), views.view(call.type)), call['set']),
  validate: checkValidate,
  toFieldSet: (call, views) =>
    sameResult(call, () =>
      sameSet(
        bothWays(() => toFieldSet(typed(call, 'value', views))),
        call['set'],
      ),
    ),
  merge: (call, views) =>
    sameResult(call, () =>
      assert.deepEqual(
        bothWays(() => mergeTyped(typed(call, 'live', views), json(call['applied']))).value,
        call['value'],
      ),
    ),
  compare: checkCompare,
  removeItems: (call, views) =>
    assert.deepEqual(removeItems(typed(call, 'before', views), setOf(call['items'])).value, call['value']),
  reconcile: (call, views) =>
    sameSet(reconcileFieldSet(setOf(call['left']), views.view(call.type)), call['set'] ?? call['left']),
  update: (call, views) => checkUpdater(call, views, 'update'),
  apply: (call, views) => checkUpdater(call, views, 'apply'),
};

describe('structured-merge-diff', () => {
  for (const file of ['fieldpath', 'typed', 'merge', 'random']) {
    const { schemas, ...kinds } = JSON.parse(
      readFileSync(new URL(`../conformance/structured-merge-diff/testdata/${file}.json`, import.meta.url), 'utf8'),
    ) as { schemas: RecordedSchemas } & Record<string, readonly Call[]>;
    const views = new RecordedViews(schemas);
    for (const [kind, calls] of Object.entries(kinds)) {
      test(`answers ${kind} of its ${file} tests as the Go module does`, () => {
        const check = checks[kind];
        assert.ok(check, `no check for ${kind}`);
        for (const call of calls) withCall(call, () => check(call, views));
      });
    }
  }
});

/** Failures name the call. */
function withCall(call: Call, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw new Error(`${(error as Error).message}\nin ${JSON.stringify(call)}`, { cause: error });
  }
}

function json(value: unknown): JsonValue {
  return (value ?? null) as JsonValue;
}

function setOf(value: unknown): FieldSet {
  return parseFieldsV1AtOnce(json(value));
}

function sameSet(actual: FieldSet, expected: unknown): void {
  assert.equal(JSON.stringify(formatFieldsV1AtOnce(actual)), JSON.stringify(expected));
}

function typed(call: Call, member: string, views: RecordedViews): TypedValue {
  return { value: json(call[member]), type: views.view(call.type) };
}

function elementOf(text: unknown): PathElement {
  const [entry] = parseFieldsV1AtOnce({ [String(text)]: {} }).entries;
  assert.ok(entry, `${String(text)} is no element`);
  return entry.element;
}

/** Texts are compared but where Go prints values of YAML, whose types JSON does not have, or maps in random order. */
function sameError(actual: string | undefined, expected: unknown): void {
  if (typeof expected !== 'string') assert.equal(actual, undefined);
  // Schemas that contradict themselves are not made here.
  else if (expected.includes('no type found matching')) return;
  else if (/map\[|interface|%!|errors:|Value:\d|\{\d|got (int|float64)/.test(expected))
    assert.notEqual(actual, undefined);
  else assert.equal(actual, expected);
}

/** What steps come to at once, and in slices as small as they can be: it must be the same. */
function bothWays<T>(steps: () => Steps<T>): T {
  const sliced = outcome(() => atOnce(paced(steps(), 0, undefined)));
  const whole = outcome(() => atOnce(steps()));
  if ('error' in whole) {
    assert.equal('error' in sliced ? sliced.error.message : undefined, whole.error.message);
    throw whole.error;
  }
  assert.deepEqual(sliced, whole);
  return whole.value;
}

function outcome<T>(run: () => T): { readonly value: T } | { readonly error: Error } {
  try {
    return { value: run() };
  } catch (error) {
    return { error: error as Error };
  }
}

function sameResult(call: Call, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof TypedValueError || error instanceof ConflictError)) throw error;
    assert.notEqual(call['error'], null, error.message);
    if (error instanceof TypedValueError) sameError(error.message, call['error']);
    return;
  }
  assert.equal(call['error'], null);
}

function checkHas(call: Call): void {
  const [path] = [...setOf(call['path']).paths()];
  if (path === undefined) return;
  assert.equal(setOf(call['left']).has(path), call['has']);
  assert.equal(pathText(path), call['text']);
}

function checkFromJson(call: Call): void {
  let value: JsonValue;
  try {
    value = JSON.parse(String(call['text'])) as JsonValue;
  } catch {
    assert.notEqual(call['error'], null);
    return;
  }
  try {
    sameSet(parseFieldsV1AtOnce(value), call['set']);
  } catch (error) {
    if (!(error instanceof FieldsV1Error)) throw error;
    assert.notEqual(call['error'], null);
    return;
  }
  assert.equal(call['error'], null);
}

function checkParseElement(call: Call): void {
  try {
    const set = parseFieldsV1AtOnce({ [String(call['text'])]: {} });
    if (call['unknown'] === true) assert.ok(set.isEmpty);
    else assert.equal(set.entries[0]?.element.text, call['element']);
  } catch (error) {
    if (!(error instanceof FieldsV1Error)) throw error;
    assert.notEqual(call['error'], null);
  }
}

function checkValidate(call: Call, views: RecordedViews): void {
  const errors = atOnce(
    validateTyped(typed(call, 'value', views), { allowDuplicates: call['allowDuplicates'] === true }),
  );
  sameError(errors.length === 0 ? undefined : new TypedValueError(errors).message, call['error']);
}

function checkCompare(call: Call, views: RecordedViews): void {
  sameResult(call, () => {
    const comparison = bothWays(() => compareTyped(json(call['before']), json(call['after']), views.view(call.type)));
    for (const change of ['removed', 'modified', 'added'] as const) sameSet(comparison[change], call[change]);
  });
}

function checkUpdater(call: Call, views: RecordedViews, kind: 'update' | 'apply'): void {
  const reset =
    call['reset'] === undefined
      ? undefined
      : new Map(Object.entries(call['reset'] as JsonObject).map(([version, set]) => [version, setOf(set)] as const));
  const updater = new Updater({
    converter: new RecordedConverter((call['conversions'] ?? []) as Conversion[], views),
    resetFields: reset,
  });
  const managers = managersOf(call['managers']);
  const options = {
    live: typed(call, 'live', views),
    apiVersion: String(call['apiVersion']),
    managers,
    manager: String(call['manager']),
  };
  const object = typed(call, 'object', views);
  try {
    const applied =
      kind === 'update'
        ? undefined
        : bothWays(() => updater.apply({ ...options, config: object, force: call['force'] === true }));
    const after = applied?.managers ?? bothWays(() => updater.update({ ...options, updated: object }));
    assert.equal(call['error'], null);
    sameManagers(after, call['after']);
    if (applied !== undefined && call['noop'] !== true) assert.deepEqual(applied.merged.value, call['value']);
    if (applied !== undefined && call['noop'] === true) assert.ok(applied.unchanged);
  } catch (error) {
    if (error instanceof ConflictError) {
      assert.notEqual(call['error'], null, error.message);
      sameSet(FieldSet.of(...error.conflicts.map(({ path }) => path)), call['conflicts']);
    } else if (error instanceof TypedValueError) sameError(error.message, call['error']);
    else throw error;
  }
}

function managersOf(value: unknown): Managers {
  return new Map(
    Object.entries(value as Record<string, { set: JsonValue; apiVersion: string; applied: boolean }>).map(
      ([name, { set, apiVersion, applied }]) => [name, { set: parseFieldsV1AtOnce(set), apiVersion, applied }],
    ),
  );
}

function sameManagers(actual: Managers, expected: unknown): void {
  const plain = Object.fromEntries(
    [...actual].map(([name, { set, ...rest }]) => [name, { ...rest, set: formatFieldsV1AtOnce(set) }]),
  );
  assert.deepEqual(plain, expected);
}
