import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { isObject, setKey } from '#shared/apimachinery/json/json.ts';

const [fnvBasis, fnvPrime] = [0xcbf29ce484222325n, 0x100000001b3n];

/**
 * The parameters that a v2 document writes once, under names that hold a hash of their content, as the builder of
 * kube-openapi does (pkg/builder/parameters.go): long texts would stand in it a thousand times.
 */
export class V2Parameters {
  readonly #references = new Map<string, string>();
  readonly #shared: JsonObject = {};

  /** A reference to the parameter, or the parameter itself if it is not shared. */
  refer(parameter: JsonObject): JsonObject {
    if (!isShared(parameter)) return parameter;
    const text = JSON.stringify(parameter);
    let reference = this.#references.get(text);
    if (reference === undefined) {
      const name = `${String(parameter['name'])}-${hashOf(goText(text))}`;
      setKey(this.#shared, name, parameter);
      this.#references.set(text, (reference = `#/parameters/${name}`));
    }
    return { $ref: reference };
  }

  /** By name, sorted. */
  shared(): [string, JsonObject][] {
    return Object.entries(this.#shared)
      .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** Old kubectls look for `dryRun` and `fieldValidation` in each operation; names and bodies are of one kind. */
function isShared({ name, in: place, schema }: JsonObject): boolean {
  if (place === 'body')
    return isObject(schema) && String(schema['$ref']).startsWith('#/definitions/io.k8s.apimachinery');
  return name !== 'name' && name !== 'dryRun' && name !== 'fieldValidation';
}

/** JSON as Go's encoder writes it. */
function goText(json: string): string {
  return json.replaceAll(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

/** Six bytes of the 64-bit FNV-1 hash, in base64. */
function hashOf(text: string): string {
  let hash = fnvBasis;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, hash * fnvPrime) ^ BigInt(byte);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.subarray(0, 6).toString('base64url');
}
