import type { JsonObject } from '../apimachinery/json.ts';
import { goValueName } from './json/decode-walk.ts';

/**
 * apiVersion or kind of a raw body. As in Go's encoding/json the case of the member's name is ignored, and the last of
 * several such members counts. Empty if absent.
 */
export function typeText(object: JsonObject, name: 'apiVersion' | 'kind'): string {
  const folded = name.toLowerCase();
  let text = '';
  for (const key of Object.keys(object)) {
    if (key !== name && (key.length !== name.length || key.toLowerCase() !== folded)) continue;
    const value = object[key] ?? null;
    if (value !== null && goValueName(value) !== 'string')
      throw new Error(`json: cannot unmarshal ${goValueName(value)} into Go struct field .${name} of type string`);
    text = typeof value === 'string' ? value : text;
  }
  return text;
}
