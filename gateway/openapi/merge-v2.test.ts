import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { addedTo, mergeV2 } from './merge-v2.ts';
import { splitDocument } from './split-document.ts';

interface Document {
  readonly paths: object;
  readonly definitions: object;
  readonly parameters?: object;
}

/** As documents of this server are written: parameters behind definitions. */
function bytesOf({ parameters = {}, ...rest }: Document): Buffer {
  return Buffer.from(JSON.stringify({ ...rest, parameters }));
}

async function merge(base: Document, ...others: readonly Document[]): Promise<unknown> {
  const split = await inSlices(splitDocument(bytesOf(base)));
  const additions = await inSlices(addedTo(split, others.map(bytesOf), []));
  const merged = JSON.parse(Buffer.concat(await inSlices(mergeV2(split, additions))).toString()) as Document;
  const { parameters, ...rest } = merged;
  return Object.keys(parameters ?? {}).length === 0 ? rest : merged;
}

describe('mergeV2', () => {
  test('merges paths and definitions of all documents, and keeps shared definitions once', async () => {
    const base = {
      swagger: '2.0',
      info: { title: 'x' },
      paths: { '/a': { get: {} } },
      definitions: {
        Meta: { type: 'object', description: 'a "{" and \\' },
        A: { properties: { definitions: { b: 1 } } },
      },
      security: [],
    };
    const second = {
      swagger: '2.0',
      paths: { '/b': { get: {} } },
      definitions: { Meta: { type: 'object', description: 'of another release' }, B: {} },
    };
    const third = { swagger: '2.0', paths: { '/c': {} }, definitions: { 'C"{': {} } };
    assert.deepEqual(await merge(base, second, third), {
      ...base,
      paths: { '/a': { get: {} }, '/b': { get: {} }, '/c': {} },
      definitions: { ...base.definitions, B: {}, 'C"{': {} },
    });
  });

  const to = (name: string): object => ({ get: { schema: { $ref: `#/definitions/${name}` } } });

  test("keeps the first document's path, and leaves out definitions that only the other's path needs", async () => {
    const base = { paths: { '/a': to('A') }, definitions: { A: { type: 'object' } } };
    const second = {
      paths: { '/a': to('Other'), '/b': to('B') },
      definitions: { Other: { properties: { probe: {} } }, B: { items: { $ref: '#/definitions/Inner' } }, Inner: {} },
    };
    assert.deepEqual(await merge(base, second), {
      paths: { '/a': to('A'), '/b': to('B') },
      definitions: { A: { type: 'object' }, B: second.definitions.B, Inner: {} },
    });
  });

  test('keeps references to parameters, and parameters of one name once', async () => {
    const watch = { name: 'watch', in: 'query' };
    const referring = (path: string): object => ({ [path]: { parameters: [{ $ref: '#/parameters/watch-1' }] } });
    const base = { paths: referring('/a'), definitions: {}, parameters: { 'watch-1': watch } };
    const second = {
      paths: { ...referring('/a'), ...referring('/b') },
      definitions: {},
      parameters: { 'watch-1': watch, 'limit-2': { name: 'limit', in: 'query' } },
    };
    assert.deepEqual(await merge(base, second), {
      paths: { ...base.paths, ...referring('/b') },
      definitions: {},
      parameters: second.parameters,
    });
  });

  test('renames a definition that differs from one of the same name', async () => {
    const base = { paths: { '/a': to('A') }, definitions: { A: { type: 'object' } } };
    const second = { paths: { '/b': to('A') }, definitions: { A: { type: 'object', properties: { probe: {} } } } };
    assert.deepEqual(await merge(base, second), {
      paths: { '/a': to('A'), '/b': to('A_v2') },
      definitions: { A: { type: 'object' }, A_v2: second.definitions.A },
    });
  });

  test('merges when either document has no paths and no definitions', async () => {
    const empty = { paths: {}, definitions: {} };
    const full = { paths: { '/a': {} }, definitions: { A: {} } };
    assert.deepEqual(await merge(empty, full), full);
    assert.deepEqual(await merge(full, empty), full);
  });
});

describe('splitDocument', () => {
  test('rejects a truncated document', async () => {
    const whole = JSON.stringify({
      paths: { '/a': { get: {} } },
      definitions: { A: { type: 'object' } },
      parameters: {},
    });
    for (let end = 0; end < whole.length - 2; end++)
      await assert.rejects(inSlices(splitDocument(Buffer.from(whole.slice(0, end)))), `${end}`);
  });
});
