import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { addedTo, mergeV2 } from './merge-v2.ts';
import { splitDocument } from './split-document.ts';

async function merge(base: object, ...others: readonly object[]): Promise<unknown> {
  const split = await inSlices(splitDocument(Buffer.from(JSON.stringify(base))));
  const additions = await inSlices(
    addedTo(
      split,
      others.map((other) => Buffer.from(JSON.stringify(other))),
      [],
    ),
  );
  return JSON.parse(Buffer.concat(await inSlices(mergeV2(split, additions))).toString());
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
    const whole = JSON.stringify({ paths: { '/a': { get: {} } }, definitions: { A: { type: 'object' } } });
    for (let end = 0; end < whole.length - 2; end++)
      await assert.rejects(inSlices(splitDocument(Buffer.from(whole.slice(0, end)))), `${end}`);
  });
});
