import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { goValueName } from './json/decode-walk.ts';

type TypeName = 'apiVersion' | 'kind';

/**
 * apiVersion and kind of a raw body. As in Go's encoding/json the case of the member's name is ignored, and the last of
 * several such members counts. Empty if absent.
 * @throws Error where one of them is not a string
 */
export function typeTexts(object: JsonObject): Record<TypeName, string> {
  // V8 needs 100 ms to tell the keys of an object that fills a body, so they are asked for once.
  const keys = Object.keys(object);
  return { apiVersion: typeText(object, keys, 'apiVersion'), kind: typeText(object, keys, 'kind') };
}

function typeText(object: JsonObject, keys: readonly string[], name: TypeName): string {
  const folded = name.toLowerCase();
  let text = '';
  for (const key of keys) {
    if (key !== name && (key.length !== name.length || key.toLowerCase() !== folded)) continue;
    const value = getKey(object, key) ?? null;
    if (value !== null && goValueName(value) !== 'string')
      throw new Error(`json: cannot unmarshal ${goValueName(value)} into Go struct field .${name} of type string`);
    text = typeof value === 'string' ? value : text;
  }
  return text;
}
