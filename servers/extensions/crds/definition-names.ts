import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt, stringsAt } from '#shared/apimachinery/object.ts';

/** Whether two `names` objects of definitions are equal. */
export function sameNames(a: JsonObject, b: JsonObject): boolean {
  return (
    ['plural', 'singular', 'kind', 'listKind'].every((key) => stringAt(a, key) === stringAt(b, key)) &&
    ['shortNames', 'categories'].every((key) => JSON.stringify(stringsAt(a, key)) === JSON.stringify(stringsAt(b, key)))
  );
}
