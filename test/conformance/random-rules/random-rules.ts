import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { RandomExpression } from './random-expression.ts';
import type { Shape, Typed } from './random-schema.ts';
import type { Random } from './random.ts';

/**
 * A rule, and the place in the schema that it is for: names of properties, `[]` for items, `{}` for values of a map.
 */
export interface PlacedRule {
  readonly place: readonly string[];
  readonly rule: JsonObject;
}

/** A rule anywhere in a schema. */
export function randomRule(random: Random, whole: Typed): PlacedRule {
  const place: string[] = [];
  let shape: Shape = whole.shape;
  while (!random.oneOf(3)) {
    const next = within(random, shape);
    if (next === undefined) break;
    place.push(next[0]);
    shape = next[1];
  }
  return { place, rule: ruleFor(random, shape) };
}

function within(random: Random, shape: Shape): readonly [string, Shape] | undefined {
  switch (shape.kind) {
    case 'object':
      return random.pick([...shape.fields]);
    case 'list':
      return ['[]', shape.items];
    case 'map':
      return ['{}', shape.values];
    default:
      return undefined;
  }
}

function ruleFor(random: Random, shape: Shape): JsonObject {
  const transition = random.below(5);
  const roots = [{ text: 'self', shape }];
  if (transition === 0) roots.push({ text: 'oldSelf', shape });
  else if (transition === 1) roots.push({ text: 'oldSelf.value()', shape });
  const text = new RandomExpression(random, roots).of('bool', 3);
  const guarded =
    transition === 1 && !random.oneOf(4)
      ? `!oldSelf.hasValue() || (${text})`
      : transition === 0 && random.oneOf(3)
        ? `self == oldSelf || (${text})`
        : text;
  return {
    rule: random.oneOf(20) ? edited(random, guarded) : guarded,
    ...(transition === 1 || random.oneOf(30) ? { optionalOldSelf: true } : {}),
    ...(random.oneOf(4)
      ? { message: random.oneOf(10) ? random.pick(['', 'two\nlines']) : random.pick(['is wrong', ' spaced ', 'ä']) }
      : {}),
    ...(random.oneOf(4) ? { messageExpression: new RandomExpression(random, roots).of('string', 2) } : {}),
    ...(random.oneOf(5)
      ? {
          reason: random.oneOf(20)
            ? 'Other'
            : random.pick(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate']),
        }
      : {}),
    ...(random.oneOf(shape.kind === 'object' ? 4 : 30)
      ? {
          fieldPath: random.pick(
            shape.kind === 'object'
              ? [...shape.fields.keys()].flatMap((name) => [`.${name}`, `['${name}']`])
              : ['.a', "['a']", '[0]', 'a', '.'],
          ),
        }
      : {}),
  };
}

function edited(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return (
    text.slice(0, at) +
    random.pick(['', '(', ')', "'", '.', '&&', ' ', '?', '1', '[', '\n', 'é', '==', '"', '`', '$']) +
    text.slice(at + random.below(3))
  );
}

/** The schema with rules. */
export function withRules(schema: JsonObject, rules: readonly PlacedRule[]): JsonObject {
  const made = cloneJson(schema);
  for (const { place, rule } of rules) {
    let at: JsonObject = made;
    for (const step of place)
      at = (
        step === '[]'
          ? at['items']
          : step === '{}'
            ? at['additionalProperties']
            : (at['properties'] as JsonObject)[step]
      ) as JsonObject;
    (at['x-kubernetes-validations'] ??= []) as JsonValue[];
    (at['x-kubernetes-validations'] as JsonValue[]).push(rule);
  }
  return made;
}
