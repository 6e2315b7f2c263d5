import { deepEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { goNumber, goQuote } from '../../../shared/apimachinery/go-format.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import { broken, CheckResult, forbiddenProperty, general, missing, notInEnum, tooManyBytes, tooManyOf, wrongType } from './check-result.ts';
import { checkNumber } from './check-number.ts';
import { compilePattern } from './patterns.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The rules of a schema for one value, with everything below it (kube-openapi/pkg/validation/validate). `name` is the path
 * in the reference's form: empty for the object itself. Of what stood there `old` is the value: parts that break a rule but
 * did not change are let through.
 */
export function checkValue(value: JsonValue, schema: SchemaNode, name: string, old?: JsonValue): CheckResult {
  const result = new CheckResult();
  if (value === null) {
    if (schema.types.length > 0 && !schema.nullable) result.add(wrongType(name, schema.types.join(','), 'null', '"null"'));
    checkEnum(value, schema, name, result);
    return result;
  }
  if (schema.types.length > 0 || schema.format !== '') {
    checkType(value, schema, name, result);
    result.matches++;
  }
  checkJunctors(value, schema, name, old, result);
  result.matches++;
  if (typeof value === 'string') checkString(value, schema, name, result);
  else if (typeof value === 'number' || typeof value === 'bigint') {
    checkNumber(value, schema, name, result);
    result.matches += 2;
  } else if (Array.isArray(value)) {
    checkList(value, schema, name, old, result);
    result.matches += 2;
  }
  checkEnum(value, schema, name, result);
  result.matches++;
  if (isObject(value)) {
    checkObject(value, schema, name, old, result);
    result.matches++;
  }
  result.matches++;
  return result;
}

/** Both are converted to the version of the request, so that a change cannot be seen. */
const typeMeta: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/** A part that is as it was may stay, though the schema has become stricter (KEP-4008, CRD validation ratcheting). */
function checkUnlessUnchanged(value: JsonValue, schema: SchemaNode, name: string, old: JsonValue | undefined): CheckResult {
  const result = checkValue(value, schema, name, old);
  if (result.valid || old === undefined || !deepEqual(value, old)) return result;
  const passed = new CheckResult();
  passed.matches = result.matches;
  return passed;
}

/** The item of before with the same keys; only lists that are maps say which one it was. */
function oldItem(item: JsonValue, { listType, listMapKeys }: SchemaNode, old: JsonValue | undefined): JsonValue | undefined {
  if (listType !== 'map' || !Array.isArray(old) || !isObject(item)) return undefined;
  return old.find((before) => isObject(before) && listMapKeys.every((key) => deepEqual(getKey(before, key), getKey(item, key))));
}

function typeOf(value: JsonValue): string {
  switch (typeof value) {
    case 'boolean': return 'boolean';
    case 'string': return 'string';
    case 'bigint': return 'integer';
    case 'number': return Number.isInteger(value) ? 'integer' : 'number';
    default: return Array.isArray(value) ? 'array' : 'object';
  }
}

function checkType(value: JsonValue, { types, format }: SchemaNode, name: string, result: CheckResult): void {
  const type = typeOf(value);
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'));
  const isText = type === 'string' || type === 'array';
  if (!isText && format !== '' && !fits) {
    const own = type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '';
    if (own !== format) {
      result.add(wrongType(name, format, own, goQuote(own)));
      return;
    }
  }
  const numeric = types.includes('number') || types.includes('integer');
  if (!numeric && format !== '' && isText) result.matches++;
  else if (fits) result.matches++;
  else result.add(wrongType(name, types.join(','), type, goQuote(type)));
}

function checkString(value: string, schema: SchemaNode, name: string, result: CheckResult): void {
  checkText(value, schema, name, result);
  result.matches++;
  const { formatCheck } = schema;
  if (formatCheck === undefined) return;
  if (!formatCheck(value)) result.add(wrongType(name, schema.format, value, goQuote(value)));
  result.matches++;
}

/** The first rule that is broken. */
function checkText(value: string, schema: SchemaNode, name: string, result: CheckResult): void {
  const maxLength = schema.number('maxLength');
  const minLength = schema.number('minLength');
  const length = maxLength === undefined && minLength === undefined ? 0 : characters(value);
  if (maxLength !== undefined && length > maxLength) return result.add(tooManyBytes(name, maxLength));
  if (minLength !== undefined && length < minLength) return result.add(broken(name, value, `should be at least ${minLength} chars long`));
  const pattern = schema.text('pattern');
  if (pattern === '') return;
  const compiled = compilePattern(pattern);
  if ('error' in compiled) result.add(broken(name, value, `should match '${pattern}, but pattern is invalid: ${compiled.error}'`));
  else if (!compiled.matches(value)) result.add(broken(name, value, `should match '${pattern}'`));
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function checkList(value: readonly JsonValue[], schema: SchemaNode, name: string, old: JsonValue | undefined, result: CheckResult): void {
  const { items } = schema;
  if (items !== undefined) value.forEach((item, index) => result.merge(checkUnlessUnchanged(item, items, `${name}[${index}]`, oldItem(item, schema, old))));
  const minItems = schema.number('minItems');
  const maxItems = schema.number('maxItems');
  if (minItems !== undefined && value.length < minItems) result.add(broken(name, value.length, `should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) result.add(tooManyOf(name, 'items', value.length, maxItems));
  if (schema.raw['uniqueItems'] === true && hasDuplicate(value)) result.add(broken(name, '', "shouldn't contain duplicates"));
}

function hasDuplicate(list: readonly JsonValue[]): boolean {
  return list.some((item, index) => list.slice(0, index).some((before) => deepEqual(before, item)));
}

function checkEnum(value: JsonValue, schema: SchemaNode, name: string, result: CheckResult): void {
  const allowed = schema.enum;
  if (allowed.length === 0 || (value !== null && allowed.some((item) => deepEqual(item, value)))) return;
  result.add(notInEnum(name, value, allowed));
}

function checkObject(value: JsonObject, schema: SchemaNode, name: string, old: JsonValue | undefined, result: CheckResult): void {
  const keys = Object.keys(value);
  const minProperties = schema.number('minProperties');
  const maxProperties = schema.number('maxProperties');
  if (minProperties !== undefined && keys.length < minProperties) result.add(broken(name, keys.length, `should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && keys.length > maxProperties) result.add(tooManyOf(name, 'properties', keys.length, maxProperties));
  const { properties, additional, forbidsAdditional } = schema;
  for (const key of keys) {
    const declared = properties.get(key);
    const child = value[key] as JsonValue;
    const before = isObject(old) ? getKey(old, key) : undefined;
    if (declared !== undefined) result.merge(checkUnlessUnchanged(child, declared, name === '' ? key : `${name}.${key}`, name === '' && typeMeta.has(key) ? undefined : before));
    else if (forbidsAdditional) result.add(forbiddenProperty(name, key));
    else if (additional !== undefined) result.merge(checkUnlessUnchanged(child, additional, `${name}.${key}`, before));
  }
  for (const key of schema.required) if (!Object.hasOwn(value, key)) result.add(missing(`${name}.${key}`));
}

function checkJunctors(value: JsonValue, schema: SchemaNode, name: string, old: JsonValue | undefined, result: CheckResult): void {
  result.matches++;
  const quoted = goQuote(name);
  checkAnyOf(value, schema.junctor('anyOf'), name, old, result);
  checkOneOf(value, schema.junctor('oneOf'), name, old, result);
  const all = schema.junctor('allOf').map((branch) => checkValue(value, branch, name, old));
  for (const one of all) result.merge(one);
  const passed = all.filter(({ valid }) => valid).length;
  if (passed !== all.length) result.add(general(`${quoted} must validate all the schemas (allOf)${passed === 0 ? '. None validated' : ''}`));
  const { not } = schema;
  if (not !== undefined && checkValue(value, not, name, old).valid) result.add(general(`${quoted} must not validate the schema (not)`));
}

function checkAnyOf(value: JsonValue, branches: readonly SchemaNode[], name: string, old: JsonValue | undefined, result: CheckResult): void {
  if (branches.length === 0) return;
  let best: CheckResult | undefined;
  for (const branch of branches) {
    const one = checkValue(value, branch, name, old);
    if (one.valid) return result.merge(one);
    if (best === undefined || one.matches > best.matches) best = one;
  }
  result.add(general(`${goQuote(name)} must validate at least one schema (anyOf)`));
  if (best !== undefined) result.merge(best);
}

function checkOneOf(value: JsonValue, branches: readonly SchemaNode[], name: string, old: JsonValue | undefined, result: CheckResult): void {
  if (branches.length === 0) return;
  const all = branches.map((branch) => checkValue(value, branch, name, old));
  const passed = all.filter(({ valid }) => valid);
  if (passed.length === 1) return result.merge(passed[0] as CheckResult);
  const found = passed.length === 0 ? 'Found none valid' : `Found ${goNumber(passed.length)} valid alternatives`;
  result.add(general(`${goQuote(name)} must validate one and only one schema (oneOf). ${found}`));
  if (passed.length > 0) return;
  result.merge(all.reduce((best, one) => (one.matches > best.matches ? one : best)));
}
