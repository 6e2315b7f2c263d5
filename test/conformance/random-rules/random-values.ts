import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ScalarKind, Shape } from './random-schema.ts';
import type { Random } from './random.ts';

const values: Readonly<Record<ScalarKind, readonly JsonValue[]>> = {
  int: [0, 1, 2, 3, 5, -1, 100, 2_147_483_647],
  double: [0, 1, 0.5, -1.5, 3, 1e21],
  string: ['a', 'b', 'ab', '', 'abc', 'é', '1', '10.0.0.1', '1Gi', 'x/y', '😀'],
  bool: [true, false],
  timestamp: ['2021-01-01T00:00:00Z', '2020-02-29T23:59:59.5+01:00', '2021-01-01'],
  duration: ['1h', '90s', '1.5h', '-3m'],
  bytes: ['YWJj', '', 'AP8='],
  intOrString: [1, 5, '50%', 'x'],
  free: [{}, { a: 1 }, { a: { b: [1, 'x'] } }],
  embedded: [
    { apiVersion: 'v1', kind: 'Pod' },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'n', labels: { a: 'b' } } },
  ],
};
const wrong: readonly JsonValue[] = [null, 'x', 1, 1.5, true, [], {}, 'longer than twelve characters'];

/** A value of the shape, in most cases. */
export function randomValue(random: Random, shape: Shape): JsonValue {
  if (random.oneOf(60)) return random.pick(wrong);
  switch (shape.kind) {
    case 'list':
      return distinct(
        Array.from({ length: random.below(4) }, () => randomValue(random, shape.items)),
        shape.keyed,
      );
    case 'map':
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [
          random.pick(['a', 'b', 'c', 'x-y']),
          randomValue(random, shape.values),
        ]),
      );
    case 'object': {
      const made: JsonObject = {};
      for (const [name, field] of shape.fields)
        if (name === 'k' || !random.oneOf(4))
          made[name] = name === 'k' ? random.pick(['a', 'b', 'c']) : randomValue(random, field);
      return made;
    }
    default:
      return structuredClone(random.pick(values[shape.kind]));
  }
}

/** Sets and maps of items have none twice. */
function distinct(items: readonly JsonValue[], keyed: boolean): JsonValue[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key =
      keyed && typeof item === 'object' && item !== null && !Array.isArray(item)
        ? String(item['k'])
        : JSON.stringify(item);
    return !seen.has(key) && Boolean(seen.add(key));
  });
}

/** The value with one part of it made anew. */
export function changedValue(random: Random, shape: Shape, value: JsonValue): JsonValue {
  if (random.oneOf(6) || value === null || typeof value !== 'object') return randomValue(random, shape);
  if (Array.isArray(value)) {
    if (shape.kind !== 'list' || value.length === 0) return randomValue(random, shape);
    const at = random.below(value.length);
    if (random.oneOf(4)) return value.toReversed();
    return distinct(
      value.map((item, index) => (index === at ? changedValue(random, shape.items, item) : item)),
      shape.keyed,
    );
  }
  const names = shape.kind === 'object' ? [...shape.fields.keys()] : Object.keys(value);
  if (names.length === 0 || (shape.kind !== 'object' && shape.kind !== 'map')) return randomValue(random, shape);
  const name = random.pick(names);
  const inner = shape.kind === 'object' ? shape.fields.get(name) : shape.values;
  if (inner === undefined) return value;
  const { [name]: old, ...rest } = value;
  return random.oneOf(6) && name !== 'k'
    ? rest
    : { ...rest, [name]: old === undefined ? randomValue(random, inner) : changedValue(random, inner, old) };
}
