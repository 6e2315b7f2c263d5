import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { failureStatus, type Status } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { encodeObject } from '#shared/endpoints/forms/object-forms.ts';
import { isLongStatus, statusPieces } from './status-pieces.ts';

const schema = loadFacts().schema('', 'v1', 'Status');
const kind = { group: '', version: 'v1', kind: 'Status' };

function statusOf(message: string): Status {
  return {
    ...failureStatus(422, 'Invalid', message),
    details: { name: '"message":"', causes: [{ message: '"message":"a"', field: 'metadata' }] },
  };
}

// One character before an even place, so that pairs of halves stand across the cuts.
const messages = {
  'one letter': 'a'.repeat(100_000),
  'escaped characters': '<"\u2028\n\\'.repeat(20_000),
  'surrogate pairs': `a${'\u{1f600}'.repeat(50_000)}`,
  'lone surrogates': `a${'\ud800'.repeat(70_000)}`,
  words: 'two words '.repeat(10_000),
};

describe('statusPieces', () => {
  for (const [name, message] of Object.entries(messages)) {
    test(`print a long message of ${name} as encodeObject does at once`, () => {
      assert.ok(schema !== undefined);
      for (const [mediaType, pretty] of [
        ['application/json', false],
        ['application/json', true],
        ['application/yaml', false],
      ] as const) {
        const status = statusOf(message);
        assert.ok(isLongStatus(status, mediaType));
        const pieces: readonly Uint8Array[] = [...statusPieces(schema, status, mediaType, pretty)];
        const whole = Buffer.concat(encodeObject(schema, kind, asKubeObject(status), mediaType, pretty));
        assert.ok(Buffer.concat(pieces).equals(whole), `${mediaType} ${pretty}`);
        assert.ok(pieces.every(({ length }) => length < 256 * 1024));
      }
    });
  }
});

describe('isLongStatus', () => {
  test('is false for a Status with a short message', () => {
    assert.equal(isLongStatus(statusOf('no'), 'application/json'), false);
  });
});
