import type { JsonObject } from '../apimachinery/json.ts';
import { numberAt, stringAt } from '../apimachinery/object.ts';

/** Equal for tolerations that are one to Go; `bare`: whatever their seconds are. */
export function tolerationIdentity(toleration: JsonObject, bare = false): string {
  const texts = ['key', 'operator', 'value', 'effect'].map((name) => stringAt(toleration, name));
  const seconds = bare ? undefined : numberAt(toleration, 'tolerationSeconds');
  return JSON.stringify(seconds === undefined ? texts : [...texts, String(seconds)]);
}
