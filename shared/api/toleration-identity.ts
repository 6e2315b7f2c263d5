import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, stringAt } from '#shared/apimachinery/object.ts';

/** A text that is equal for tolerations that are equal in Go; `bare` leaves `tolerationSeconds` out. */
export function tolerationIdentity(toleration: JsonObject, bare = false): string {
  const texts = ['key', 'operator', 'value', 'effect'].map((name) => stringAt(toleration, name));
  const seconds = bare ? undefined : int64At(toleration, 'tolerationSeconds');
  return JSON.stringify(seconds === undefined ? texts : [...texts, String(seconds)]);
}
