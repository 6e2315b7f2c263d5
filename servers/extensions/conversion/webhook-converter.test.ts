import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { ConversionFailure } from './conversion-failure.ts';
import { WebhookConverter, type Convertible } from './webhook-converter.ts';

interface Case {
  readonly name: string;
  readonly versions: readonly string[];
  readonly objects: readonly JsonObject[];
  readonly to: string;
  readonly answer: string;
}

/** What the reference sent and made of the answer, written by test/recorders/conversion. */
interface Recorded {
  readonly name: string;
  readonly request?: JsonObject;
  readonly error?: string;
  readonly objects?: readonly JsonObject[];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}`, import.meta.url), 'utf8'));
const cases = read('cases.json') as Case[];
const recorded = new Map((read('recorded.json') as Recorded[]).map((one) => [one.name, one]));
const uid = '$UID';

function convertible(object: JsonObject): Convertible {
  const { metadata } = object;
  return {
    apiVersion: stringAt(object, 'apiVersion'),
    kind: stringAt(object, 'kind'),
    metadata: isObject(metadata) ? metadata : {},
    json: Buffer.from(looseText(object)),
  };
}

describe('WebhookConverter', () => {
  for (const { name, versions, objects, to, answer } of cases)
    test(`converts as the reference: ${name}`, async () => {
      const expected = recorded.get(name);
      let request: unknown;
      const converter = new WebhookConverter({
        reviewVersions: versions,
        apiVersions: new Set(['stable.example.com/v1', 'stable.example.com/v1beta1']),
        newUid: () => uid,
        call: async (body) => {
          request = JSON.parse(body);
          return Buffer.from(answer);
        },
      });
      // The caller leaves out what is of the version already.
      const others = objects.filter((object) => object['apiVersion'] !== to);
      const run = converter.convert(
        others.map((object) => convertible(object)),
        to,
      );
      if (expected?.error === undefined)
        assert.deepEqual(
          await run,
          (expected?.objects ?? []).filter((_, index) => others.includes(objects[index] as JsonObject)),
        );
      else await assert.rejects(run, (error) => error instanceof ConversionFailure && error.message === expected.error);
      assert.deepEqual(request, expected?.request);
    });
});
