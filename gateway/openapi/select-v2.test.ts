import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { addedTo, mergeV2 } from './merge-v2.ts';
import { selectV2 } from './select-v2.ts';
import { splitDocument } from './split-document.ts';

const own = {
  swagger: '2.0',
  info: {},
  paths: { '/apis/apps/v1/x': { get: {} } },
  definitions: {
    Meta: { type: 'object', description: 'ours', properties: { a: { type: 'string' } } },
    Taken: { type: 'string' },
  },
  parameters: {},
};
const theirs = {
  swagger: '2.0',
  paths: {
    '/apis/f.io/v1/': { get: { parameters: [{ $ref: '#/parameters/watch' }] } },
    '/apis/f.io/v1/fruits': { get: { responses: { 200: { schema: { $ref: '#/definitions/Fruit' } } } } },
    '/apis/f.io/v10/fruits': { get: {} },
    '/apis/apps/v1/x': { get: { description: 'not theirs' } },
  },
  parameters: { watch: { name: 'watch', in: 'query', type: 'boolean' } },
  definitions: {
    Fruit: { properties: { metadata: { $ref: '#/definitions/Meta' }, taken: { $ref: '#/definitions/Taken' } } },
    Meta: { type: 'object', description: 'theirs', properties: { a: { type: 'string' } } },
    Taken: { type: 'integer' },
    Unused: {},
  },
};

async function merge(document: object): Promise<JsonObject> {
  const parts = selectV2(structuredClone(document) as JsonObject, '/apis/f.io/v1');
  const base = await inSlices(splitDocument(Buffer.from(JSON.stringify(own))));
  const chunks = await inSlices(mergeV2(base, await inSlices(addedTo(base, [], [parts]))));
  return JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
}

describe('selectV2', () => {
  test('takes the paths of the group version only, with the definitions and parameters that they need', async () => {
    const { paths, definitions } = await merge(theirs);
    assert.deepEqual(Object.keys(paths as JsonObject).toSorted(), [
      '/apis/apps/v1/x',
      '/apis/f.io/v1/',
      '/apis/f.io/v1/fruits',
    ]);
    assert.deepEqual((paths as JsonObject)['/apis/apps/v1/x'], { get: {} });
    assert.deepEqual(Object.keys(definitions as JsonObject).toSorted(), ['Fruit', 'Meta', 'Taken', 'Taken_v2']);
    assert.deepEqual((paths as JsonObject)['/apis/f.io/v1/'], { get: { parameters: [theirs.parameters.watch] } });
  });

  test('renames a definition that differs from one of the same name, wherever it is used', async () => {
    const { Fruit, Taken, Taken_v2, Meta } = (await merge(theirs))['definitions'] as JsonObject;
    assert.deepEqual(Fruit, {
      properties: { metadata: { $ref: '#/definitions/Meta' }, taken: { $ref: '#/definitions/Taken_v2' } },
    });
    assert.deepEqual([Taken, Taken_v2], [{ type: 'string' }, { type: 'integer' }]);
    assert.equal((Meta as JsonObject)['description'], 'ours');
  });

  test('throws for a document that is not OpenAPI v2', () => {
    for (const document of [[], 'x', {}, { swagger: '3.0', paths: {} }, { swagger: '2.0', paths: 1 }])
      assert.throws(() => selectV2(document, '/apis/f.io/v1'), /no OpenAPI v2/);
  });
});
