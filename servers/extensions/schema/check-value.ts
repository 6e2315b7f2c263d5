import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goNumber, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { broken, CheckResult, forbiddenProperty, general, missing, tooManyOf } from './check-result.ts';
import { checkEnum, checkPlain, checkScalar, checkType, isPlainScalar } from './check-scalar.ts';
import type { OldValue } from './old-value.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * Checks a value and everything below it against a schema (kube-openapi/pkg/validation/validate). `name` is the path in
 * the reference's form: empty for the object itself. Parts that break a rule but are unchanged since `old` are
 * accepted.
 */
export function* checkValue(
  value: JsonValue,
  schema: SchemaNode,
  name: string,
  old?: OldValue,
  isCompared = false,
): Steps<CheckResult> {
  const result = new CheckResult(isCompared);
  if (isPlainScalar(value, schema)) {
    checkPlain(value, schema, name, result);
    return result;
  }
  checkType(value, schema, name, result);
  result.matches += 2;
  if (schema.hasJunctors) yield* checkJunctors(value, schema, name, result);
  yield* checkScalar(value, schema, name, result);
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

/** Members that never count as changed: both objects are converted to the version of the request. */
const typeMeta: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** Ratcheting (KEP-4008): an unchanged part is valid, even if the schema has become stricter. */
function* checkUnlessUnchanged(
  value: JsonValue,
  schema: SchemaNode,
  name: string,
  old: OldValue | undefined,
  into: CheckResult,
): Steps<void> {
  const result = yield* checkValue(value, schema, name, old, into.isCompared);
  if (result.valid || old?.equals(value) !== true) into.merge(result);
  else into.matches += result.matches;
}

/**
 * {@link checkUnlessUnchanged} for plain values, as most values are: the old value is looked up only if the new value
 * is invalid.
 */
function mergeUnlessUnchanged(
  result: CheckResult,
  value: JsonValue,
  parent: OldValue,
  key: string,
  into: CheckResult,
): void {
  if (result.valid || parent.field(key)?.equals(value) !== true) into.merge(result);
  else into.matches += result.matches;
}

function* checkList(
  value: readonly JsonValue[],
  schema: SchemaNode,
  name: string,
  old: OldValue | undefined,
  result: CheckResult,
): Steps<void> {
  const { items } = schema;
  if (items !== undefined) {
    for (let i = 0; i < value.length && !result.isFinal; i++) {
      const item = value[i] as JsonValue;
      const below = `${name}[${i}]`;
      if (isPlainScalar(item, items)) checkPlain(item, items, below, result);
      else yield* checkUnlessUnchanged(item, items, below, old?.item(item), result);
      if (sliceIsOver()) yield;
    }
  }
  const minItems = schema.number('minItems');
  const maxItems = schema.number('maxItems');
  if (minItems !== undefined && value.length < minItems)
    result.add(broken(name, value.length, `should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) result.add(tooManyOf(name, 'items', value.length, maxItems));
  if (schema.raw['uniqueItems'] === true && hasDuplicate(value))
    result.add(broken(name, '', "shouldn't contain duplicates"));
}

function hasDuplicate(list: readonly JsonValue[]): boolean {
  const seen = new Set<string>();
  return list.some((item) => seen.size === seen.add(looseText(item)).size);
}

function* checkObject(
  value: JsonObject,
  schema: SchemaNode,
  name: string,
  old: OldValue | undefined,
  result: CheckResult,
): Steps<void> {
  const keys = Object.keys(value);
  const minProperties = schema.number('minProperties');
  const maxProperties = schema.number('maxProperties');
  if (minProperties !== undefined && keys.length < minProperties)
    result.add(broken(name, keys.length, `should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && keys.length > maxProperties)
    result.add(tooManyOf(name, 'properties', keys.length, maxProperties));
  const { properties, additional, forbidsAdditional } = schema;
  for (const key of keys) {
    if (result.isFinal) return;
    const declared = properties.get(key);
    const schemaBelow = declared ?? additional;
    if (declared === undefined && forbidsAdditional) result.add(forbiddenProperty(name, key));
    if (schemaBelow === undefined) continue;
    const child = getKey(value, key) as JsonValue;
    const below = name === '' && declared !== undefined ? key : `${name}.${key}`;
    const parent = declared !== undefined && name === '' && typeMeta.has(key) ? undefined : old;
    if (isPlainScalar(child, schemaBelow)) {
      const into = parent === undefined ? result : new CheckResult();
      checkPlain(child, schemaBelow, below, into);
      if (parent !== undefined) mergeUnlessUnchanged(into, child, parent, key, result);
    } else yield* checkUnlessUnchanged(child, schemaBelow, below, parent?.field(key), result);
    if (sliceIsOver()) yield;
  }
  for (const key of schema.required) {
    if (result.isFull) return;
    if (!Object.hasOwn(value, key)) result.add(missing(`${name}.${key}`));
  }
}

/** What these say of an unchanged part counts nevertheless: there is no ratcheting within them. */
function* checkJunctors(value: JsonValue, schema: SchemaNode, name: string, result: CheckResult): Steps<void> {
  yield* checkAnyOf(value, schema.junctor('anyOf'), name, result);
  yield* checkOneOf(value, schema.junctor('oneOf'), name, result);
  const all = yield* checkEach(value, schema.junctor('allOf'), name, result.isCompared);
  for (const one of all) result.merge(one);
  const passed = all.filter(({ valid }) => valid).length;
  if (passed !== all.length)
    result.add(
      general(`${goQuote(name)} must validate all the schemas (allOf)${passed === 0 ? '. None validated' : ''}`),
    );
  const { not } = schema;
  if (not !== undefined && (yield* checkValue(value, not, name)).valid)
    result.add(general(`${goQuote(name)} must not validate the schema (not)`));
}

function* checkEach(
  value: JsonValue,
  branches: readonly SchemaNode[],
  name: string,
  isCompared: boolean,
): Steps<readonly CheckResult[]> {
  const all: CheckResult[] = [];
  for (const branch of branches) all.push(yield* checkValue(value, branch, name, undefined, isCompared));
  return all;
}

function* checkAnyOf(
  value: JsonValue,
  branches: readonly SchemaNode[],
  name: string,
  result: CheckResult,
): Steps<void> {
  if (branches.length === 0) return;
  let best: CheckResult | undefined;
  for (const branch of branches) {
    const one = yield* checkValue(value, branch, name, undefined, true);
    if (one.valid) return result.merge(one);
    if (best === undefined || one.matches > best.matches) best = one;
  }
  result.add(general(`${goQuote(name)} must validate at least one schema (anyOf)`));
  if (best !== undefined) result.merge(best);
}

function* checkOneOf(
  value: JsonValue,
  branches: readonly SchemaNode[],
  name: string,
  result: CheckResult,
): Steps<void> {
  if (branches.length === 0) return;
  const all = yield* checkEach(value, branches, name, true);
  const passed = all.filter(({ valid }) => valid);
  if (passed.length === 1) return result.merge(passed[0] as CheckResult);
  const found = passed.length === 0 ? 'Found none valid' : `Found ${goNumber(passed.length)} valid alternatives`;
  result.add(general(`${goQuote(name)} must validate one and only one schema (oneOf). ${found}`));
  if (passed.length > 0) return;
  result.merge(all.reduce((best, one) => (one.matches > best.matches ? one : best)));
}
