import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { isLongPattern } from '#shared/apimachinery/regexp/compiled-patterns.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { checkNumber, isNearlyInteger } from './check-number.ts';
import { broken, notInEnum, tooManyBytes, wrongType, type CheckResult } from './check-result.ts';
import { isInteger } from './is-integer.ts';
import { compilePattern, PatternError } from './patterns.ts';
import type { SchemaNode } from './schema-node.ts';

/** Longer strings are matched with patterns in steps. */
const longText = 4096;

/**
 * Whether a value is null or a scalar without further schemas (`allOf` and the like), so that {@link checkPlain} checks
 * all of it.
 */
export function isPlainScalar(value: JsonValue, schema: SchemaNode): boolean {
  return (
    value === null ||
    (typeof value !== 'object' &&
      !schema.hasJunctors &&
      !(typeof value === 'string' && (value.length > longText || isLongPattern(schema.text('pattern')))))
  );
}

/** Checks the rules for a plain value, in the order in which the reference checks them. */
export function checkPlain(value: JsonValue, schema: SchemaNode, name: string, result: CheckResult): void {
  if (value === null) {
    if (schema.types.length > 0 && !schema.nullable)
      result.add(wrongType(name, schema.types.join(','), 'null', '"null"'));
    else result.matches++;
    checkEnum(value, schema, name, result);
    return;
  }
  checkType(value, schema, name, result);
  // Two matches are counted, as in go-openapi: one because there are no further schemas, one for the search for them.
  result.matches += 2;
  if (typeof value === 'string')
    checkString(value, schema, name, result, (pattern) => atOnce(verdictOf(value, pattern)));
  else checkNumeric(value, schema, name, result);
  checkEnum(value, schema, name, result);
  result.matches += 2;
}

/** Checks a scalar of any length, in steps. */
export function* checkScalar(value: JsonValue, schema: SchemaNode, name: string, result: CheckResult): Steps<void> {
  if (typeof value !== 'string') return checkNumeric(value, schema, name, result);
  const pattern = schema.text('pattern');
  const verdict = pattern === '' || (yield* verdictOf(value, pattern));
  checkString(value, schema, name, result, () => verdict);
}

/** Whether a string matches, or the error of an invalid pattern. */
type Verdict = boolean | PatternError;

function* verdictOf(value: string, pattern: string): Steps<Verdict> {
  const compiled = yield* compilePattern(pattern);
  return compiled instanceof PatternError ? compiled : yield* compiled.matches(value);
}

function checkNumeric(value: JsonValue, schema: SchemaNode, name: string, result: CheckResult): void {
  if (typeof value === 'number' || typeof value === 'bigint') {
    checkNumber(value, schema, name, result);
    result.matches += 2;
  }
}

export function checkType(value: JsonValue, schema: SchemaNode, name: string, result: CheckResult): void {
  if (schema.types.length === 0 && schema.format === '') return;
  checkKind(value, schema, name, result);
  result.matches++;
}

function checkKind(value: JsonValue, { types, format }: SchemaNode, name: string, result: CheckResult): void {
  const type = typeOf(value);
  const fits =
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (type === 'number' && types.includes('integer') && isNearlyInteger(Number(value)));
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

function typeOf(value: JsonValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'bigint':
    case 'number':
      return isInteger(value) ? 'integer' : 'number';
    default:
      return Array.isArray(value) ? 'array' : 'object';
  }
}

function checkString(
  value: string,
  schema: SchemaNode,
  name: string,
  result: CheckResult,
  judge: (pattern: string) => Verdict,
): void {
  checkText(value, schema, name, result, judge);
  result.matches++;
  const { formatCheck } = schema;
  if (formatCheck === undefined) return;
  if (!formatCheck(value)) result.add(wrongType(name, schema.format, value, goQuote(value)));
  result.matches++;
}

/** Adds a violation for the first rule that the value violates. */
function checkText(
  value: string,
  schema: SchemaNode,
  name: string,
  result: CheckResult,
  judge: (pattern: string) => Verdict,
): void {
  const maxLength = schema.number('maxLength');
  const minLength = schema.number('minLength');
  if (maxLength !== undefined && isLongerThan(value, maxLength)) return result.add(tooManyBytes(name, maxLength));
  if (minLength !== undefined && !isLongerThan(value, minLength - 1))
    return result.add(broken(name, value, `should be at least ${minLength} chars long`));
  const pattern = schema.text('pattern');
  if (pattern === '') return;
  const verdict = judge(pattern);
  if (verdict instanceof PatternError)
    result.add(broken(name, value, `should match '${pattern}, but pattern is invalid: ${verdict.text}'`));
  else if (!verdict) result.add(broken(name, value, `should match '${pattern}'`));
}

/** Whether a text has more code points than `limit`. They are counted only if its length does not decide already. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) if ((text.codePointAt(at) as number) > 0xffff) count--;
  return count > limit;
}

export function checkEnum(value: JsonValue, schema: SchemaNode, name: string, result: CheckResult): void {
  const { allowed } = schema;
  if (allowed !== undefined && !allowed.has(value)) result.add(notInEnum(name, value, allowed));
}
