import { deepEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { goNumber, goQuote } from '../../../shared/apimachinery/go-format.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import { atOnce, sliceIsOver, type Steps } from '../../../shared/apimachinery/slices.ts';
import { broken, CheckResult, forbiddenProperty, general, missing, tooManyOf } from './check-result.ts';
import { checkEnum, checkPlain, checkScalar, checkType, isPlain } from './check-scalar.ts';
import { OldItems } from './old-items.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The rules of a schema for one value, with everything below it (kube-openapi/pkg/validation/validate). `name` is the path
 * in the reference's form: empty for the object itself. Of what stood there `old` is the value: parts that break a rule but
 * did not change are let through.
 */
export function checkValue(value: JsonValue, schema: SchemaNode, name: string, old?: JsonValue): CheckResult {
  return atOnce(checkValueInSteps(value, schema, name, old));
}

/** As {@link checkValue}, for large values. */
export function* checkValueInSteps(value: JsonValue, schema: SchemaNode, name: string, old?: JsonValue): Steps<CheckResult> {
  const result = new CheckResult();
  if (isPlain(value, schema)) {
    checkPlain(value, schema, name, result);
    return result;
  }
  checkType(value, schema, name, result);
  result.matches += 2;
  if (schema.hasJunctors) yield* checkJunctors(value, schema, name, old, result);
  checkScalar(value, schema, name, result);
  if (Array.isArray(value)) {
    yield* checkList(value, schema, name, old, result);
    result.matches += 2;
  }
  checkEnum(value, schema, name, result);
  result.matches++;
  if (isObject(value)) {
    yield* checkObject(value, schema, name, old, result);
    result.matches++;
  }
  result.matches++;
  return result;
}

/** Both are converted to the version of the request, so that a change cannot be seen. */
const typeMeta: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** A part that is as it was may stay, though the schema has become stricter (KEP-4008, CRD validation ratcheting). */
function* checkUnlessUnchanged(value: JsonValue, schema: SchemaNode, name: string, old: JsonValue | undefined, into: CheckResult): Steps<void> {
  const result = yield* checkValueInSteps(value, schema, name, old);
  mergeUnlessUnchanged(result, value, old, into);
}

/** The same for plain values, which most are. */
function checkPlainUnlessUnchanged(value: JsonValue, schema: SchemaNode, name: string, old: JsonValue | undefined, into: CheckResult): void {
  if (old === undefined) return checkPlain(value, schema, name, into);
  const result = new CheckResult();
  checkPlain(value, schema, name, result);
  mergeUnlessUnchanged(result, value, old, into);
}

function mergeUnlessUnchanged(result: CheckResult, value: JsonValue, old: JsonValue | undefined, into: CheckResult): void {
  if (result.valid || old === undefined || !deepEqual(value, old)) into.merge(result);
  else into.matches += result.matches;
}

function* checkList(value: readonly JsonValue[], schema: SchemaNode, name: string, old: JsonValue | undefined, result: CheckResult): Steps<void> {
  const { items } = schema;
  if (items !== undefined) {
    const oldItems = new OldItems(schema, old);
    for (let i = 0; i < value.length; i++) {
      const item = value[i] as JsonValue;
      const below = `${name}[${i}]`;
      if (isPlain(item, items)) checkPlainUnlessUnchanged(item, items, below, undefined, result);
      else yield* checkUnlessUnchanged(item, items, below, oldItems.find(item), result);
      if (sliceIsOver()) yield;
    }
  }
  const minItems = schema.number('minItems');
  const maxItems = schema.number('maxItems');
  if (minItems !== undefined && value.length < minItems) result.add(broken(name, value.length, `should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) result.add(tooManyOf(name, 'items', value.length, maxItems));
  if (schema.raw['uniqueItems'] === true && hasDuplicate(value)) result.add(broken(name, '', "shouldn't contain duplicates"));
}

function hasDuplicate(list: readonly JsonValue[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((before) => deepEqual(before, item)));
}

function* checkObject(value: JsonObject, schema: SchemaNode, name: string, old: JsonValue | undefined, result: CheckResult): Steps<void> {
  const keys = Object.keys(value);
  const minProperties = schema.number('minProperties');
  const maxProperties = schema.number('maxProperties');
  if (minProperties !== undefined && keys.length < minProperties) result.add(broken(name, keys.length, `should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && keys.length > maxProperties) result.add(tooManyOf(name, 'properties', keys.length, maxProperties));
  const { properties, additional, forbidsAdditional } = schema;
  const oldObject = isObject(old) ? old : undefined;
  for (const key of keys) {
    const declared = properties.get(key);
    const schemaBelow = declared ?? additional;
    if (declared === undefined && forbidsAdditional) result.add(forbiddenProperty(name, key));
    if (schemaBelow === undefined) continue;
    const child = value[key] as JsonValue;
    const below = name === '' && declared !== undefined ? key : `${name}.${key}`;
    const before = oldObject === undefined || (declared !== undefined && name === '' && typeMeta.has(key)) ? undefined : getKey(oldObject, key);
    if (isPlain(child, schemaBelow)) checkPlainUnlessUnchanged(child, schemaBelow, below, before, result);
    else yield* checkUnlessUnchanged(child, schemaBelow, below, before, result);
    if (sliceIsOver()) yield;
  }
  for (const key of schema.required) if (!Object.hasOwn(value, key)) result.add(missing(`${name}.${key}`));
}

function* checkJunctors(value: JsonValue, schema: SchemaNode, name: string, old: JsonValue | undefined, result: CheckResult): Steps<void> {
  yield* checkAnyOf(value, schema.junctor('anyOf'), name, old, result);
  yield* checkOneOf(value, schema.junctor('oneOf'), name, old, result);
  const all = yield* checkEach(value, schema.junctor('allOf'), name, old);
  for (const one of all) result.merge(one);
  const passed = all.filter(({ valid }) => valid).length;
  if (passed !== all.length) result.add(general(`${goQuote(name)} must validate all the schemas (allOf)${passed === 0 ? '. None validated' : ''}`));
  const { not } = schema;
  if (not !== undefined && (yield* checkValueInSteps(value, not, name, old)).valid) result.add(general(`${goQuote(name)} must not validate the schema (not)`));
}

function* checkEach(value: JsonValue, branches: readonly SchemaNode[], name: string, old: JsonValue | undefined): Steps<readonly CheckResult[]> {
  const all: CheckResult[] = [];
  for (const branch of branches) all.push(yield* checkValueInSteps(value, branch, name, old));
  return all;
}

function* checkAnyOf(value: JsonValue, branches: readonly SchemaNode[], name: string, old: JsonValue | undefined, result: CheckResult): Steps<void> {
  if (branches.length === 0) return;
  let best: CheckResult | undefined;
  for (const branch of branches) {
    const one = yield* checkValueInSteps(value, branch, name, old);
    if (one.valid) return result.merge(one);
    if (best === undefined || one.matches > best.matches) best = one;
  }
  result.add(general(`${goQuote(name)} must validate at least one schema (anyOf)`));
  if (best !== undefined) result.merge(best);
}

function* checkOneOf(value: JsonValue, branches: readonly SchemaNode[], name: string, old: JsonValue | undefined, result: CheckResult): Steps<void> {
  if (branches.length === 0) return;
  const all = yield* checkEach(value, branches, name, old);
  const passed = all.filter(({ valid }) => valid);
  if (passed.length === 1) return result.merge(passed[0] as CheckResult);
  const found = passed.length === 0 ? 'Found none valid' : `Found ${goNumber(passed.length)} valid alternatives`;
  result.add(general(`${goQuote(name)} must validate one and only one schema (oneOf). ${found}`));
  if (passed.length > 0) return;
  result.merge(all.reduce((best, one) => (one.matches > best.matches ? one : best)));
}
