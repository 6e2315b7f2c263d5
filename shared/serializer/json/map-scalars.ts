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

/** Replaces lone surrogates by U+FFFD, in keys, too. In place. */
export function withWholeCharacters(value: JsonValue): JsonValue {
  const whole = mapScalars(value, (scalar) => (typeof scalar === 'string' ? scalar.toWellFormed() : scalar));
  const open = [whole];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, member] of Object.entries(next)) {
      open.push(member);
      if (key.isWellFormed() || Array.isArray(next)) continue;
      delete next[key];
      setKey(next, key.toWellFormed(), member);
    }
  }
  return whole;
}
