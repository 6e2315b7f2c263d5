import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { contentTypeError } from './content-type.ts';

const { contentTypes } = JSON.parse(readFileSync(new URL('testdata/clients.json', import.meta.url), 'utf8')) as {
  readonly contentTypes: readonly { readonly text: string; readonly error?: string }[];
};

describe('contentTypeError', () => {
  test('says what Go says of media types and their parameters', () => {
    assert.deepEqual(
      contentTypes.map(({ text }) => contentTypeError(text)),
      contentTypes.map(({ error }) => error),
    );
  });
});
