import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { ConversionFailure } from './conversion-failure.ts';
import { EntryConverter } from './entry-converter.ts';
import { WebhookConverter } from './webhook-converter.ts';

interface Review {
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: JsonObject[] };
}

function stored(name: string, more: Partial<CacheEntry> = {}): CacheEntry {
  const metadata = { name, namespace: 'a', resourceVersion: '7', uid: `uid-${name}` };
  const json = Buffer.from(JSON.stringify({ apiVersion: 'g/v1', kind: 'Wid', metadata, spec: { old: name } }));
  return { key: `/wids/a/${name}`, namespace: 'a', name, revision: 7, json, labels: {}, fields: undefined, ...more };
}

/** A webhook that moves `spec.old` to `spec.new`, and fails for a review with an object named `bad`. */
function rig(answerWith: 'objects' | 'nothing' | 'an error' = 'objects'): {
  readonly converter: EntryConverter;
  /** The names of the objects of each review. */
  readonly reviews: string[][];
  readonly sent: JsonObject[];
} {
  const [reviews, sent]: [string[][], JsonObject[]] = [[], []];
  const converter = new WebhookConverter({
    reviewVersions: ['v1'],
    apiVersions: new Set(['g/v1', 'g/v2']),
    async call(body) {
      const { request } = JSON.parse(body) as Review;
      const names = request.objects.map(nameOf);
      reviews.push(names);
      sent.push(...request.objects);
      if (answerWith === 'an error') throw new Error('there is no webhook');
      const isBad = names.includes('bad');
      const convertedObjects = answerWith === 'nothing' && names.length > 1 ? [] : request.objects.map(convert);
      return Buffer.from(
        JSON.stringify({
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'ConversionReview',
          response: {
            uid: request.uid,
            result: isBad ? { status: 'Failure', message: 'bad' } : { status: 'Success' },
            convertedObjects,
          },
        }),
      );
    },
  });
  return {
    converter: new EntryConverter({
      converter,
      kind: 'Wid',
      storageVersion: 'g/v1',
      shapeOf: () => undefined,
      fieldsOf: () => ({ color: 'red' }),
    }),
    reviews,
    sent,
  };
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) ? String(metadata['name']) : '';
}

function convert(object: JsonObject): JsonObject {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  return { ...object, apiVersion: 'g/v2', spec: { new: spec['old'] ?? null } };
}

const many = (...names: string[]): CacheEntry[] => names.map((name) => stored(name));
const failure = (message: string) => (error: unknown) =>
  error instanceof ConversionFailure && error.message === message;
const failed = 'conversion webhook for g/v1, Kind=Wid failed: bad';

describe('EntryConverter', () => {
  test('returns entries that are of the version already, without a review', () => {
    const { converter, reviews } = rig();
    const entries = many('a', 'b');
    assert.equal(converter.convert(entries, 'g/v1', true), entries);
    const converted = [stored('c', { apiVersion: 'g/v2' })];
    assert.equal(converter.convert(converted, 'g/v2', false), converted);
    assert.deepEqual(reviews, []);
  });

  test('converts those of another version by one review, in order, without their resourceVersion', async () => {
    const { converter, reviews, sent } = rig();
    const entries = [stored('a'), stored('b', { apiVersion: 'g/v2' }), stored('c')];
    const converted = await converter.convert(entries, 'g/v2', false);
    assert.deepEqual(reviews, [['a', 'c']]);
    assert.deepEqual(sent[0], {
      apiVersion: 'g/v1',
      kind: 'Wid',
      metadata: { name: 'a', namespace: 'a', uid: 'uid-a' },
      spec: { old: 'a' },
    });
    assert.equal(converted[1], entries[1]);
    assert.deepEqual(
      { ...converted[2], json: JSON.parse(String(converted[2]?.json)) },
      {
        ...stored('c'),
        apiVersion: 'g/v2',
        labels: undefined,
        fields: { color: 'red' },
        json: {
          apiVersion: 'g/v2',
          kind: 'Wid',
          metadata: { name: 'c', namespace: 'a', resourceVersion: '7', uid: 'uid-c' },
          spec: { new: 'c' },
        },
      },
    );
  });

  test('converts an entry once, and again where it has to be fresh', async () => {
    const { converter, reviews } = rig();
    const entries = many('a');
    const [first] = await converter.convert(entries, 'g/v2', false);
    const [second] = await converter.convert(entries, 'g/v2', false);
    assert.equal(first, second);
    assert.equal(reviews.length, 1);
    await converter.convert(entries, 'g/v2', true);
    assert.equal(reviews.length, 2);
  });

  test('shares a conversion that is running', async () => {
    const { converter, reviews } = rig();
    const [a, b, c] = many('a', 'b', 'c') as [CacheEntry, CacheEntry, CacheEntry];
    await Promise.all([converter.convert([a, b], 'g/v2', false), converter.convert([b, c], 'g/v2', true)]);
    assert.deepEqual(reviews.map((names) => names.join(' ')).toSorted(), ['a b', 'c']);
  });

  test('converts at most 500 objects and 1 MiB by one review', async () => {
    const { converter, reviews } = rig();
    await converter.convert(
      Array.from({ length: 1001 }, (_, at) => stored(String(at))),
      'g/v2',
      false,
    );
    assert.deepEqual(
      reviews.map(({ length }) => length),
      [500, 500, 1],
    );
    const large = many('x', 'y', 'z').map((entry) => {
      const object = JSON.parse(String(entry.json)) as JsonObject;
      return { ...entry, json: Buffer.from(JSON.stringify({ ...object, text: 'x'.repeat(600 * 1024) })) };
    });
    await converter.convert(large, 'g/v2', false);
    assert.deepEqual(reviews.slice(3), [['x'], ['y'], ['z']]);
  });

  test('converts objects one by one where a review of several fails, and others in it do not fail', async () => {
    const { converter, reviews } = rig();
    const [a, bad, c] = many('a', 'bad', 'c') as [CacheEntry, CacheEntry, CacheEntry];
    const list = converter.convert([a, bad, c], 'g/v2', false);
    const others = [a, c].map(async (entry) => converter.convert([entry], 'g/v2', false));
    await assert.rejects(async () => list, failure(failed));
    assert.deepEqual(
      (await Promise.all(others)).map(([entry]) => entry?.name),
      ['a', 'c'],
    );
    assert.deepEqual(reviews, [['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  test('converts by a webhook that answers only reviews of one object', async () => {
    const { converter } = rig('nothing');
    const converted = await converter.convert(many('a', 'b'), 'g/v2', false);
    assert.deepEqual(
      converted.map(({ name, apiVersion }) => `${name} ${apiVersion}`),
      ['a g/v2', 'b g/v2'],
    );
  });

  test('asks a webhook that is away only once for a list', async () => {
    const { converter, reviews } = rig('an error');
    await assert.rejects(
      async () => converter.convert(many('a', 'b'), 'g/v2', false),
      failure('conversion webhook for g/v1, Kind=Wid failed: there is no webhook'),
    );
    assert.equal(reviews.length, 1);
  });
});
