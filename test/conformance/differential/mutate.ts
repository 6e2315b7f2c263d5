import fc from 'fast-check';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** Numbers that choose; what they choose depends on the object. */
export interface Mutation {
  readonly at: number;
  readonly how: number;
  readonly value: number;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({ at: fc.nat(9_999), how: fc.nat(99), value: fc.nat(999) });

const values: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2_147_483_648,
  4_294_967_296_000,
  1.5,
  '',
  'x',
  'A_b',
  'kept',
  '1',
  '10%',
  '1Gi',
  '-1m',
  'a/b',
  'ä',
  '2024-01-02T03:04:05Z',
  '1h',
  [],
  {},
  [null],
  ['a', 'a'],
  [{}],
  [[]],
  { a: 'b' },
  { a: null },
  { name: 'x' },
  'x'.repeat(300),
  '10.0.0.1',
  'Always',
];

function given(choice: number): JsonValue {
  return cloneJson(values[choice % values.length] as JsonValue);
}

interface MemberPosition {
  readonly holder: JsonObject | JsonValue[];
  readonly key: string | number;
}

/** Every member but what names the object, whose change would only try other names. */
function memberPositions(value: JsonValue, positions: MemberPosition[] = [], depth = 0): MemberPosition[] {
  if (Array.isArray(value)) {
    for (const [key, item] of value.entries()) {
      positions.push({ holder: value, key });
      memberPositions(item, positions, depth + 1);
    }
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (depth === 0 && (key === 'kind' || key === 'apiVersion')) continue;
      if (
        depth !== 1 ||
        !['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'managedFields'].includes(key)
      ) {
        positions.push({ holder: value, key });
        if (key !== 'managedFields') memberPositions(item, positions, depth + 1);
      }
    }
  }
  return positions;
}

function put({ holder, key }: MemberPosition, value: JsonValue): void {
  (holder as Record<string | number, JsonValue>)[key] = value;
}

function remove({ holder, key }: MemberPosition): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** Differ from server to server, so that nothing else may take their values. */
const ownValues = new Set([
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'time',
  'nodePort',
  'healthCheckNodePort',
  'clusterIP',
  'clusterIPs',
]);

/** A changed copy. */
export function mutate<T extends JsonObject>(object: T, mutations: readonly Mutation[]): T {
  const changed = cloneJson(object);
  for (const { at, how, value } of mutations) {
    const positions = memberPositions(changed);
    const position = positions[at % Math.max(1, positions.length)];
    if (position === undefined) continue;
    const { holder, key } = position;
    const present = (holder as Record<string | number, JsonValue>)[key] as JsonValue;
    if (how < 35) put(position, given(value));
    else if (how < 50) remove(position);
    else if (how < 60 && isObject(present))
      present[['nope', 'name', 'spec', 'a b', 'status'][value % 5] ?? ''] = given(value * 7);
    else if (how < 70 && Array.isArray(present))
      present.push(cloneJson(present[value % Math.max(1, present.length)] ?? 'x'));
    else if (how < 75 && Array.isArray(present)) present.reverse();
    else if (how < 80 && typeof key === 'string' && isObject(holder)) {
      remove(position);
      holder[key.charAt(0).toUpperCase() + key.slice(1)] = present;
    } else if (how < 90) {
      const other = positions[value % positions.length];
      if (other !== undefined && !ownValues.has(String(other.key)))
        put(position, cloneJson((other.holder as Record<string | number, JsonValue>)[other.key] as JsonValue));
    } else if (typeof present === 'number') put(position, present + (value % 5) - 2);
    else if (typeof present === 'string') put(position, present + ['', 'x', '-', ' ', '_', '/a', '.'][value % 7]);
  }
  return changed;
}

/** JSON text with a character changed, doubled or gone. */
export function mutateText(text: string, { at, how, value }: Mutation): string {
  const position = at % Math.max(1, text.length);
  const inserted = ['"', '{', '}', ',', ':', '\\', ' ', '0', 'e', 'null', '\u0000', '[', ']'][value % 13] ?? '';
  return text.slice(0, position) + inserted + text.slice(position + (how % 2));
}

/** Members to merge into an object: those that a mutation of it touches, down to where they differ. */
export function mergePatchOf(object: JsonObject, mutations: readonly Mutation[]): JsonObject {
  return difference(object, mutate(object, mutations));
}

function difference(before: JsonObject, after: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]];
    if (is === undefined) patch[key] = null;
    else if (isObject(was) && isObject(is)) {
      const inner = difference(was, is);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (JSON.stringify(was) !== JSON.stringify(is)) patch[key] = is;
  }
  return patch;
}

/** Operations of a JSON patch on members of an object. */
export function jsonPatchOf(object: JsonObject, mutations: readonly Mutation[]): JsonValue[] {
  const pointers: string[] = [];
  const visit = (value: JsonValue, pointer: string): void => {
    if (pointer !== '') pointers.push(pointer);
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${pointer}/${index}`);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value))
        visit(item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  };
  visit(object, '');
  const shared = pointers.filter(
    (pointer) =>
      !pointer.split('/').some((step) => ownValues.has(step)) && pointer !== '/metadata' && pointer !== '/spec',
  );
  return mutations.map(({ at, how, value }) => {
    const path = pointers[at % pointers.length] ?? '';
    const where = how % 10 === 0 ? `${path}/nope` : how % 10 === 1 ? path.replace(/[^/]*$/, '-') : path;
    const from = shared[value % Math.max(1, shared.length)] ?? '';
    const operand = given(value);
    switch (Math.floor(how / 10)) {
      case 0:
      case 1:
      case 2:
        return { op: 'replace', path: where, value: operand };
      case 3:
      case 4:
        return { op: 'add', path: where, value: operand };
      case 5:
      case 6:
        return { op: 'remove', path: where };
      case 7:
        return { op: 'move', path: where, from };
      case 8:
        return { op: 'copy', path: where, from };
      default:
        return { op: how % 2 === 0 ? 'test' : 'odd', path: where, value: operand };
    }
  });
}

/** Directives of a strategic patch, put into some object of it. */
export function withDirective(patch: JsonObject, { at, how, value }: Mutation): JsonObject {
  const objects: JsonObject[] = [];
  const visit = (item: JsonValue): void => {
    if (Array.isArray(item)) item.forEach(visit);
    else if (isObject(item)) {
      objects.push(item);
      Object.values(item).forEach(visit);
    }
  };
  const changed = cloneJson(patch);
  visit(changed);
  const target = objects[at % objects.length] ?? changed;
  const lists = Object.keys(target).filter((key) => Array.isArray(target[key]));
  const key = lists[value % Math.max(1, lists.length)] ?? 'finalizers';
  switch (how % 6) {
    case 0:
      target['$patch'] = ['delete', 'replace', 'merge', 'odd'][value % 4] ?? '';
      break;
    case 1:
      target['$retainKeys'] = Object.keys(target).slice(0, 1 + (value % 3));
      break;
    case 2:
      target[`$deleteFromPrimitiveList/${key}`] = ['a'];
      break;
    case 3:
      target[`$setElementOrder/${key}`] = (Array.isArray(target[key]) ? target[key] : [])
        .map((item) => (isObject(item) && typeof item['name'] === 'string' ? { name: item['name'] } : item))
        .reverse();
      break;
    case 4:
      target[key] = [...(Array.isArray(target[key]) ? target[key] : []), { $patch: 'delete', name: 'main' }];
      break;
    default:
      target[key] = [{ $patch: 'replace' }, ...(Array.isArray(target[key]) ? target[key] : [])];
  }
  return changed;
}
