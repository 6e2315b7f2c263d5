import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { decodeBody } from '#shared/serializer/codec.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { mediaTypesWithCbor } from '#shared/serializer/negotiate.ts';

/** What the reference's decoders said, recorded by test/recorders/codecs/bodies. */
interface Recorded {
  readonly kind: string;
  readonly form?: string;
  readonly body?: string;
  readonly base64?: string;
  readonly error?: string;
  readonly strict?: string[];
  readonly json?: string;
}

const facts = loadFacts();
const recorded = JSON.parse(readFileSync(new URL('../testdata/bodies.json', import.meta.url), 'utf8')) as Recorded[];

/** A custom resource of which nothing is known. */
const unstructured = {
  kind: 'struct',
  name: '',
  goName: '',
  fields: [],
  flat: [],
  byName: new Map(),
  custom: { conform: () => [], conformMetadata: () => [], applyDefaults: () => false },
} as unknown as StructSchema;

/** Ours always has metadata. */
function withoutEmptyMetadata({ metadata, ...rest }: JsonObject): JsonObject {
  return isObject(metadata) && Object.keys(metadata).length === 0 ? rest : { metadata: metadata ?? null, ...rest };
}

type Run = <T>(steps: Steps<T>) => T | Promise<T>;

async function ours(item: Recorded, run: Run): Promise<Pick<Recorded, 'error' | 'strict' | 'json'>> {
  const [gv, kind] = item.kind.includes(' ') ? (item.kind.split(' ') as [string, string]) : ['v1', item.kind];
  const body = item.base64 === undefined ? Buffer.from(item.body ?? '') : Buffer.from(item.base64, 'base64');
  const defaultGvk = { ...parseGroupVersion(gv), kind };
  try {
    const isCustom = kind === 'Unstructured';
    const decoded = await run(
      decodeBody(facts, item.form === undefined ? undefined : `application/${item.form}`, body, {
        defaultGvk,
        fieldValidation: 'Warn',
        plainErrors: true,
        mediaTypes: mediaTypesWithCbor,
        ...(isCustom ? { custom: unstructured } : {}),
      }),
    );
    if (isCustom) return { json: `${looseText(withoutEmptyMetadata(decoded.object))}\n` };
    decoded.object.kind = kind;
    decoded.object.apiVersion = gv;
    return {
      ...(decoded.strictErrors.length > 0 && { strict: [...decoded.strictErrors] }),
      json: `${encodeJson(decoded.schema, decoded.object).toString()}\n`,
    };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { error: error.message };
  }
}

/**
 * Raw JSON (fieldsV1, RawExtension) is held as values here and as bytes there: spelling of numbers and duplicates are
 * lost.
 */
function isRaw({ body }: Recorded): boolean {
  return body?.includes('"fieldsV1":{"a":1,"a":2}') === true || body?.includes('[1.0,') === true;
}

/** A test for each recorded body of a form; undefined stands for JSON. */
export function testRecordedBodies(form: string | undefined): void {
  describe(`decodeBody of ${form ?? 'json'}`, () => {
    for (const item of recorded) {
      if (item.form !== form || isRaw(item)) continue;
      const outcome = item.error === undefined ? 'decodes' : 'rejects';
      const body = JSON.stringify(item.body ?? item.base64);
      test(`${outcome} ${item.kind} ${body} as the reference does, at once and in slices`, async () => {
        const { error, strict } = item;
        // Go marks bytes that are no UTF-8 by an escape, where ours has the character itself.
        const json = item.json?.replaceAll('\\ufffd', '\ufffd');
        for (const run of [atOnce, inSlices])
          assert.deepEqual(await ours(item, run), {
            ...(error !== undefined && { error }),
            ...(strict !== undefined && { strict }),
            ...(json !== undefined && { json }),
          });
      });
    }
  });
}
