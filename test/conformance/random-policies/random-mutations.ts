import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { RandomExpression, type Reached } from '#test/conformance/random-rules/random-expression.ts';
import type { Random } from '#test/conformance/random-rules/random.ts';
import { pointerOf } from './object-paths.ts';
import { guarded, isMapMember, randomCondition } from './policy-expressions.ts';
import { metadataKnobs, type Knob, type Target } from './targets.ts';

/** Mutations of a policy, which set members that writes set too; a few are wrong. */
export function randomMutations(random: Random, target: Target, roots: readonly Reached[]): JsonValue[] {
  return Array.from({ length: 1 + random.below(2) }, (): JsonObject =>
    random.oneOf(2)
      ? {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: applyConfiguration(random, target, roots) },
        }
      : { patchType: 'JSONPatch', jsonPatch: { expression: jsonPatch(random, target, roots) } },
  );
}

function someKnob(random: Random, { knobs }: Target): Knob {
  return random.pick(random.oneOf(3) ? metadataKnobs : knobs);
}

/** A literal of the value, or an expression of its type. */
function valueText(random: Random, value: JsonValue, path: string, roots: readonly Reached[]): string {
  const expressions = new RandomExpression(random, roots);
  if (typeof value === 'string' && random.oneOf(3)) return guarded(random, expressions.of('string', 1), "'none'");
  if (Number.isInteger(value) && random.oneOf(3)) return guarded(random, expressions.of('int', 1), '3');
  if (typeof value === 'boolean' && random.oneOf(4)) return expressions.of('bool', 1);
  return literal(value, path);
}

/** Numbers that are places in lists are no part of the names of types. */
function typeName(path: string): string {
  const names = path.split('.').filter((name) => name !== '' && !/^\d+$/.test(name));
  return ['Object', ...names].join('.');
}

function literal(value: JsonValue, path: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, path)).join(', ')}]`;
  if (isObject(value)) {
    const isMap = isMapMember(path.split('.').at(-1) ?? '');
    const members = Object.entries(value).map(
      ([key, member]) => `${isMap ? JSON.stringify(key) : key}: ${literal(member, `${path}.${key}`)}`,
    );
    return `${isMap ? '' : typeName(path)}{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** The value in the objects that hold it. */
function nested(names: readonly string[], value: string, at = ''): string {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  const path = at === '' ? name : `${at}.${name}`;
  const inner = nested(rest, value, path);
  if (/^\d+$/.test(name)) return `[${inner}]`;
  return isMapMember(at.split('.').at(-1) ?? '')
    ? `{${JSON.stringify(name)}: ${inner}}`
    : `${typeName(at)}{${name}: ${inner}}`;
}

function applyConfiguration(random: Random, target: Target, roots: readonly Reached[]): string {
  const { path, values } = someKnob(random, target);
  const made = nested(path.split('.'), valueText(random, random.pick(values), path, roots));
  const text = random.oneOf(10) ? made.replace(/Object\.\w+/, 'Object.odd') : made;
  return random.oneOf(4) ? `${randomCondition(random, roots)} ? ${text} : Object{}` : text;
}

function jsonPatch(random: Random, target: Target, roots: readonly Reached[]): string {
  const operations = Array.from({ length: 1 + random.below(3) }, () => operation(random, target, roots));
  const text = `[${operations.join(', ')}]`;
  return random.oneOf(4) ? `${randomCondition(random, roots)} ? ${text} : []` : text;
}

function operation(random: Random, target: Target, roots: readonly Reached[]): string {
  const { path, values } = someKnob(random, target);
  const pointer = random.oneOf(6)
    ? `'${pointerOf(path).replace(/[^/]*$/, '')}' + jsonpatch.escapeKey('a.b/c~d')`
    : `'${pointerOf(path)}${random.oneOf(20) ? '/missing' : ''}'`;
  const value = valueText(random, random.pick(values), path, roots);
  switch (random.below(10)) {
    case 0:
      return `JSONPatch{op: 'remove', path: ${pointer}}`;
    case 1:
      return `JSONPatch{op: 'test', path: ${pointer}, value: ${value}}`;
    case 2:
      return `JSONPatch{op: 'copy', from: '${pointerOf(someKnob(random, target).path)}', path: ${pointer}}`;
    case 3:
      return `JSONPatch{op: '${random.pick(['move', 'odd'])}', from: '/metadata/labels/a', path: ${pointer}}`;
    case 4:
    case 5:
      return `JSONPatch{op: 'replace', path: ${pointer}, value: ${value}}`;
    default:
      return `JSONPatch{op: 'add', path: ${pointer}, value: ${value}}`;
  }
}
