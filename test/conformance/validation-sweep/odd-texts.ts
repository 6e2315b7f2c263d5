import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { loadFacts } from '#shared/api/load-facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Seed } from '#test/conformance/differential/seeds.ts';
import { pathText, placesOf, type Step } from '#test/conformance/number-edges/places.ts';

/**
 * Quoted otherwise by Go's `%q` than by its JSON: HTML characters, no-break spaces, control characters. Errors show a
 * plain string in the first way, one of a named type, or a pointer, in the second.
 */
export const oddText = 'a<b\u00a0"\u0001é';

/** A string of an object, and an odd text for it. */
export interface TextCase {
  readonly path: readonly Step[];
  readonly text: string;
}

/** What the reference answered to the seed with an odd text in it. */
export interface RecordedText extends TextCase {
  readonly seed: string;
  readonly isUpdate: boolean;
  /** `field: message` of the errors that show the text, sorted, each once. */
  readonly causes: readonly string[];
}

/** A dry run of an update echoes it at the reference, though it is not stored. */
const unasked = 'metadata.selfLink';

/** Every string of a valid object's type with an odd text: alone, and behind what the object has. */
export function textCases({ object }: Seed): TextCase[] {
  const { group, version } = parseGroupVersion(String(object.apiVersion));
  const schema = loadFacts().schema(group, version, String(object.kind));
  if (schema === undefined) return [];
  return placesOf(schema, object, (type) => type === 'string')
    .filter(({ path }) => pathText(path) !== unasked)
    .flatMap(({ path }) => {
      const present = valueAtPath(object, path);
      const texts = typeof present === 'string' && present !== '' ? [oddText, present + oddText] : [oddText];
      return texts.map((text) => ({ path, text }));
    });
}

function valueAtPath(object: JsonObject, path: readonly Step[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path)
    value = Array.isArray(value) ? value[Number(step)] : isObject(value) ? value[String(step)] : undefined;
  return value;
}

export function seedName({ object }: Seed): string {
  return `${object.apiVersion} ${object.kind} ${String(object.metadata.name)}`;
}

/** The causes of a Status that show an odd text, as they are recorded. */
export function causesOf(body: JsonValue): string[] {
  const details = isObject(body) ? body['details'] : undefined;
  const causes = isObject(details) ? details['causes'] : undefined;
  const texts = Array.isArray(causes)
    ? causes.map((cause) => (isObject(cause) ? `${String(cause['field'])}: ${String(cause['message'])}` : ''))
    : [];
  return [...new Set(texts.filter((text) => /a(<|\\\\u003c)b/.test(text)))].toSorted();
}

const file = new URL('testdata/error-texts.json.gz', import.meta.url);

export function readRecordedTexts(): readonly RecordedText[] {
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as readonly RecordedText[];
}

export function writeRecordedTexts(texts: readonly RecordedText[]): void {
  writeFileSync(file, gzipSync(JSON.stringify(texts), { level: 9 }));
}
