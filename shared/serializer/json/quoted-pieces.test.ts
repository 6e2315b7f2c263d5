import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { jsonTextInSteps } from './encode-in-steps.ts';
import { jsonText } from './encode.ts';
import { quoteJson } from './go-text.ts';
import { looseTextInSteps, rawTextInSteps } from './loose-in-steps.ts';
import { looseText, rawText } from './loose.ts';
import { quotedPieces, quoteJsonInSteps } from './quoted-pieces.ts';

/** Of odd lengths, so that a piece ends at each place of them. */
const units = ['a', '😀', 'a😀', '\ud83d', '\ud83d\ud83d\ude00', '\ude00', '<&>', '"\\', '\u2028\n', 'é\0', '漢字😀x'];

describe('quotedPieces', () => {
  test('prints a long text in pieces as quoteJson prints it at once', async () => {
    for (const unit of units) {
      for (const shift of ['', 'x', 'xy']) {
        const text = shift + unit.repeat(Math.ceil(70_000 / unit.length));
        const whole = quoteJson(text);
        assert.ok([...quotedPieces(text)].join('') === whole.slice(1, -1), JSON.stringify(unit));
        assert.ok((await inSlices(quoteJsonInSteps(text))) === whole, JSON.stringify(unit));
      }
    }
  });
});

describe('printing in steps', () => {
  test('prints objects with long texts as printing at once does', async () => {
    const long = 'a<😀'.repeat(30_000);
    const value = { z: long, a: [long, 1, null, { b: long }], [long]: 'x' };
    assert.ok((await inSlices(looseTextInSteps(value))) === looseText(value));
    assert.ok((await inSlices(rawTextInSteps(value))) === rawText(value));
    const schema = loadFacts().schema('', 'v1', 'ConfigMap');
    assert.ok(schema);
    const map = { metadata: { name: 'a', finalizers: [long] }, data: { a: long, b: 'c' }, binaryData: { c: long } };
    assert.ok((await inSlices(jsonTextInSteps(schema, map))) === jsonText(schema, map));
  });
});
