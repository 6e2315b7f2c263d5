import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  plain: 'a'.repeat(100_000),
  escapes: '<"\u2028\n\\'.repeat(20_000),
  pairs: `a${'\u{1f600}'.repeat(50_000)}`,
  halves: `a${'\ud800'.repeat(70_000)}`,
  words: 'two words '.repeat(10_000),
};

for (const [name, message] of Object.entries(messages)) {
  test(`a long message of ${name} is printed in pieces as it is at once`, () => {
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

test('a Status with a short message goes out at once', () => {
  assert.equal(isLongStatus(statusOf('no'), 'application/json'), false);
});
