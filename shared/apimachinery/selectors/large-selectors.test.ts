import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { matchesFields, parseFieldSelector, type FieldSelector } from './fields.ts';
import { matchesLabels, parseLabelSelector, type LabelSelector } from './labels.ts';

const many = 50_000;
const repeat = (term: (at: number) => string): string => Array.from({ length: many }, (_, at) => term(at)).join(',');

describe('large selectors', () => {
  test('are parsed in steps, with the same result as at once', async () => {
    for (const text of [repeat((at) => `a${at}`), repeat((at) => `!a${at}`), `a in (${repeat((at) => `v${at}`)})`]) {
      const { value, turns } = await turnsDuring(parseLabelSelector(text));
      assert.ok(turns > 5, `${turns} turns for ${text.slice(0, 20)}`);
      assert.deepEqual(value, atOnce(parseLabelSelector(text)));
    }
    for (const text of [repeat((at) => `a${at}=b`), repeat((at) => `metadata.name!=a\\,${at}`)]) {
      const { value, turns } = await turnsDuring(parseFieldSelector(text));
      assert.ok(turns > 5, `${turns} turns for ${text.slice(0, 20)}`);
      assert.deepEqual(value, atOnce(parseFieldSelector(text)));
    }
  });

  /** A number below `bound`, the same in each run. */
  function seeded(seed: number): (bound: number) => number {
    let state = seed;
    return (bound) => (state = (state * 48_271) % 2_147_483_647) % bound;
  }

  const labelTerms = ['k', '!k', 'k=v', 'k!=v', 'k in (v,w)', 'k notin (v,w)', 'k>1', 'k<3', 'k=', 'k!='] as const;

  test('select by many label requirements what each requirement selects', () => {
    const random = seeded(7);
    const termOf = (): string =>
      (labelTerms[random(labelTerms.length)] as string)
        .replace('k', `k${random(4)}`)
        .replace('v', String(random(4)))
        .replace('w', String(random(4)));
    const one = (terms: readonly string[]): LabelSelector => atOnce(parseLabelSelector(terms.join(',')));
    let selected = 0;
    for (let round = 0; round < 20_000; round++) {
      const labels = Object.fromEntries(Array.from({ length: random(5) }, () => [`k${random(5)}`, String(random(4))]));
      // One term, or two, over and over, and by themselves.
      const terms = Array.from({ length: 1 + random(2) }, termOf);
      const expected = terms.every((term) => matchesLabels(one([term]), labels));
      const whole = one(Array.from({ length: 20 }, (_, at) => terms[at % terms.length] as string));
      assert.equal(matchesLabels(whole, labels), expected, `${terms.join(',')} of ${JSON.stringify(labels)}`);
      if (expected) selected++;
    }
    assert.ok(selected > 1_000, String(selected));
  });

  test('select by many field terms what each term selects', () => {
    const random = seeded(11);
    let selected = 0;
    for (let round = 0; round < 20_000; round++) {
      const fields = Object.fromEntries(Array.from({ length: random(3) }, () => [`f${random(3)}`, String(random(3))]));
      const terms: FieldSelector = Array.from({ length: 1 + random(2) }, () => ({
        field: `f${random(3)}`,
        operator: random(3) === 0 ? '=' : '!=',
        value: random(4) === 0 ? '' : String(random(3)),
      }));
      const expected = terms.every((term) => matchesFields([term], fields));
      const whole = Array.from({ length: 20 }, (_, at) => terms[at % terms.length] as FieldSelector[number]);
      assert.equal(matchesFields(whole, fields), expected, `${JSON.stringify(terms)} of ${JSON.stringify(fields)}`);
      if (expected) selected++;
    }
    assert.ok(selected > 1_000, String(selected));
  });

  test('match 20,000 objects against selectors of many terms', () => {
    const selectors = [repeat((at) => `!a${at}`), `a notin (${repeat((at) => `v${at}`)})`].map((text) =>
      atOnce(parseLabelSelector(text)),
    );
    const names = atOnce(parseFieldSelector(repeat((at) => `metadata.name!=a${at}`)));
    for (let object = 0; object < 20_000; object++) {
      for (const selector of selectors) assert.ok(matchesLabels(selector, { a: `w${object}`, c: 'd' }));
      assert.ok(matchesFields(names, { 'metadata.name': `b${object}` }));
    }
  });
});
