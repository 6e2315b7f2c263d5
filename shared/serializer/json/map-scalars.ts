import { getKey, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** Replaces each scalar by the result of `made`, if that differs. In place, at any depth. */
export function mapScalars(value: JsonValue, made: (scalar: JsonValue) => JsonValue): JsonValue {
  const root: JsonValue[] = [value];
  const open: (JsonValue[] | JsonObject)[] = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const key of Object.keys(container)) {
      const member = getKey(container as JsonObject, key) as JsonValue;
      if (typeof member === 'object' && member !== null) open.push(member);
      else {
        const next = made(member);
        if (!Object.is(next, member)) setKey(container as JsonObject, key, next);
      }
    }
  }
  return root[0] ?? null;
}
