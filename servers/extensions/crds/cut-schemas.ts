import { Buffer } from 'node:buffer';
import { skipValue } from '#shared/apimachinery/json/json-bytes.ts';

// Quotes inside JSON strings are escaped, so a match of these bytes is always a key. The same key inside a schema is
// skipped together with that schema.
const schemaKey = Buffer.from('"schema":{"openAPIV3Schema":');
const openBrace = '{'.charCodeAt(0);

/**
 * Splits the served JSON of a definition into the JSON with `{}` in place of each schema, and the schemas in their
 * order. The schemas are views of the input buffer, not copies.
 */
export function cutSchemas(json: Buffer): { readonly rest: string; readonly schemas: readonly Buffer[] } {
  const schemas: Buffer[] = [];
  let rest = '';
  let done = 0;
  for (let at = json.indexOf(schemaKey); at >= 0; at = json.indexOf(schemaKey, done)) {
    const start = at + schemaKey.length;
    rest += json.toString('utf8', done, start);
    done = json[start] === openBrace ? skipValue(json, start) : start;
    if (done === start) continue;
    schemas.push(json.subarray(start, done));
    rest += '{}';
  }
  return { rest: rest + json.toString('utf8', done), schemas };
}
