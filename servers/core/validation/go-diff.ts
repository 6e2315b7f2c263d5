import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { goJson, goJsonString } from '#shared/apimachinery/text/go-format.ts';
import { goForm } from './go-form.ts';
import { opCodes, type OpCode } from './sequence-matcher.ts';

/** How many equal lines surround a change. */
const context = 3;

/**
 * Maximum of values in an object that is compared. Each value may be dozens of lines, and a diff of hundreds of
 * thousands of lines is of no use.
 */
const maxValues = 2_000;

/**
 * The difference of two objects of a model as the reference prints it: a unified diff of their internal types in JSON.
 */
export function goDiff(model: string, before: JsonObject, after: JsonObject): string {
  if (valuesOf(before, maxValues) >= maxValues || valuesOf(after, maxValues) >= maxValues)
    return 'the objects are too large to tell their difference\n';
  return unifiedDiff(linesOf(goForm(model, before)), linesOf(goForm(model, after)));
}

/** The number of values in a value; counting stops at `most`. */
function valuesOf(value: JsonValue | undefined, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, most)) if (count < most) count += valuesOf(item, most - count);
    return count;
  }
  for (const key in value) {
    if (count >= most) break;
    if (Object.hasOwn(value, key)) count += valuesOf(value[key], most - count);
  }
  return count;
}

function linesOf(value: JsonObject): string[] {
  return indented(value, '\n')
    .split('\n')
    .map((line) => `${line}\n`);
}

/** The text of a value on several lines; each begins with `lineBreak`. */
function indented(value: JsonValue, lineBreak: string): string {
  if (typeof value !== 'object' || value === null) return goJson(value);
  const deeper = `${lineBreak} `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item) => indented(item, deeper))]
    : ['{', '}', Object.entries(value).map(([key, member]) => `${goJsonString(key)}: ${indented(member, deeper)}`)];
  return parts.length === 0 ? open + close : `${open}${deeper}${parts.join(`,${deeper}`)}${lineBreak}${close}`;
}

/** A unified diff without file names. */
export function unifiedDiff(before: readonly string[], after: readonly string[]): string {
  const parts = groups(opCodes(before, after)).map((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return '';
    const head = `@@ -${rangeText(first.a1, last.a2)} +${rangeText(first.b1, last.b2)} @@\n`;
    return head + group.map((code) => bodyOf(code, before, after)).join('');
  });
  return parts.join('');
}

function bodyOf(code: OpCode, before: readonly string[], after: readonly string[]): string {
  const removed = before.slice(code.a1, code.a2);
  if (code.equal) return removed.map((line) => ` ${line}`).join('');
  return (
    removed.map((line) => `-${line}`).join('') +
    after
      .slice(code.b1, code.b2)
      .map((line) => `+${line}`)
      .join('')
  );
}

function rangeText(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Groups of changes with the equal lines around them; changes close together are in one group. */
function groups(codes: readonly OpCode[]): OpCode[][] {
  const trimmed = [...codes];
  const [first, last] = [trimmed[0], trimmed.at(-1)];
  if (first?.equal)
    trimmed[0] = { ...first, a1: Math.max(first.a1, first.a2 - context), b1: Math.max(first.b1, first.b2 - context) };
  if (last?.equal) {
    const end = trimmed.at(-1) ?? last;
    trimmed[trimmed.length - 1] = {
      ...end,
      a2: Math.min(end.a2, end.a1 + context),
      b2: Math.min(end.b2, end.b1 + context),
    };
  }
  const result: OpCode[][] = [];
  let group: OpCode[] = [];
  for (const code of trimmed) {
    if (code.equal && code.a2 - code.a1 > 2 * context) {
      group.push({ ...code, a2: Math.min(code.a2, code.a1 + context), b2: Math.min(code.b2, code.b1 + context) });
      result.push(group);
      group = [{ ...code, a1: Math.max(code.a1, code.a2 - context), b1: Math.max(code.b1, code.b2 - context) }];
    } else group.push(code);
  }
  if (group.length > 0 && !(group.length === 1 && group[0]?.equal)) result.push(group);
  return result.filter((part) => part.some((code) => !code.equal));
}
