import { Buffer } from 'node:buffer';
import { skipValue } from '../../../shared/apimachinery/json-bytes.ts';

// Quotes within strings are escaped, so that this is a key wherever it stands; keys within a schema are skipped with
// it.
const schemaKey = Buffer.from('"schema":{"openAPIV3Schema":');
const openBrace = '{'.charCodeAt(0);

/**
 * The served JSON of a definition with `{}` for each schema, and the schemas in their order; they share the bytes'
 * memory.
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
