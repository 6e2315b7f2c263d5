import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { podFixture } from '#shared/serializer/testdata/bench-objects.ts';
import { canonicalObject } from './canonical-object.ts';
import type { Comparison } from './change-level.ts';
import { compareTyped } from './compare-typed.ts';
import { fieldsV1Text, formatFieldsV1 } from './fields-v1.ts';
import { viewOfSchema } from './schema-view.ts';
import { TypedValueError } from './typed-value.ts';

const schema = loadFacts().schema('', 'v1', 'Pod');
assert.ok(schema !== undefined);
const pods = schema;

/** The same numbers in each run. */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Changes one place of a value, at any depth: types, keys of items and the order of lists included. */
function change(value: JsonValue, draw: (below: number) => number): JsonValue {
  if (draw(8) === 0) return [null, 'other', 7, true, {}, [], { name: 'a' }, ['x', 'x']][draw(8)] ?? null;
  if (Array.isArray(value)) return changedList(value, draw);
  if (!isObject(value)) return typeof value === 'string' ? `${value}x` : 'text';
  const keys = Object.keys(value);
  const key = keys[draw(keys.length)] ?? 'first';
  const kind = draw(6);
  if (kind === 0) setKey(value, `added${draw(3)}`, 'new');
  else if (kind === 1) delete value[key];
  else setKey(value, key, change(value[key] ?? null, draw));
  return value;
}

function changedList(list: JsonValue[], draw: (below: number) => number): JsonValue[] {
  const at = draw(list.length);
  const item = list[at];
  if (item === undefined) return [{ name: 'new' }];
  switch (draw(5)) {
    case 0:
      return [...list, cloneJson(item)];
    case 1:
      return list.toSpliced(at, 1);
    case 2:
      return list.toReversed();
    default:
      return list.with(at, change(item, draw));
  }
}

function described(comparison: Comparison): Record<string, string> {
  const { removed, modified, added } = comparison;
  for (const set of [removed, modified, added])
    assert.equal(fieldsV1Text(set), JSON.stringify(atOnce(formatFieldsV1(set))));
  return { removed: String(removed), modified: String(modified), added: String(added) };
}

async function outcome(compare: () => Comparison | Promise<Comparison>): Promise<unknown> {
  try {
    return described(await compare());
  } catch (error) {
    assert.ok(error instanceof TypedValueError, String(error));
    return error.message;
  }
}

async function checkPair(before: JsonObject, after: JsonObject): Promise<unknown> {
  const type = viewOfSchema(pods);
  const inTurn = await outcome(() => inSlices(compareTyped(before, after, type)));
  assert.deepEqual(await outcome(() => atOnce(compareTyped(before, after, type))), inTurn);
  return inTurn;
}

describe('compareTyped at once', () => {
  test('finds what it finds in steps, in changed pods', async () => {
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= 600; seed++) {
      const draw = draws(seed);
      const before = atOnce(canonicalObject(pods, cloneJson(podFixture)));
      const after = cloneJson(before);
      for (let changes = draw(4); changes >= 0; changes--) change(after, draw);
      if (seed % 3 === 0) change(before, draw);
      outcomes.add(JSON.stringify(await checkPair(before, after)));
    }
    assert.ok(outcomes.size > 200, `${outcomes.size} different outcomes`);
  });

  test('finds the errors of items without keys, also where both lists are the same', async () => {
    const pod = (): JsonObject => ({ metadata: {}, spec: { volumes: [{ emptyDir: {} }, 'text'], containers: [{}] } });
    assert.match(String(await checkPair(pod(), pod())), /element 1: /);
  });

  test('finds nothing in equal lists with repeated items', async () => {
    const pod = (): JsonObject => ({ metadata: {}, spec: { volumes: [{ name: 'a' }, { name: 'a' }] } });
    assert.deepEqual(await checkPair(pod(), pod()), { removed: '', modified: '', added: '' });
  });
});

describe('canonicalObject at once', () => {
  test('makes what it makes in steps, of changed pods', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const draw = draws(seed);
      const pod = cloneJson(podFixture);
      for (let changes = draw(4); changes >= 0; changes--) change(pod, draw);
      assert.deepEqual(atOnce(canonicalObject(pods, pod)), await inSlices(canonicalObject(pods, pod)));
    }
  });
});
