import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** A copy with a member set; what is missing on the way is made. A number in the path is a place in a list. */
export function withMember(object: JsonObject, path: string, value: JsonValue): JsonObject {
  const changed = cloneJson(object);
  const names = path.split('.');
  const last = names.pop() ?? '';
  let holder: JsonObject | JsonValue[] = changed;
  for (const name of names) {
    const next: JsonValue | undefined = (holder as JsonObject)[name];
    if (isObject(next) || Array.isArray(next)) holder = next;
    else holder = (holder as JsonObject)[name] = {};
  }
  (holder as JsonObject)[last] = cloneJson(value);
  return changed;
}

export function pointerOf(path: string): string {
  return `/${path.replaceAll('.', '/')}`;
}
