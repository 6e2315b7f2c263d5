import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { selectorsOfClaim } from './selector-compilations.ts';

const selectors = (count: number, name: string): object[] =>
  Array.from({ length: count }, (_, index) => ({ cel: { expression: `${name}${index}` } }));
const claim = (...requests: object[]): number =>
  selectorsOfClaim(JSON.parse(JSON.stringify({ devices: { requests } }))).length;

describe('selectorsOfClaim', () => {
  test('returns the selectors of requests and of their alternatives', () => {
    assert.equal(
      claim({ exactly: { selectors: selectors(2, 'a') } }, { firstAvailable: [{ selectors: selectors(3, 'b') }, {}] }),
      5,
    );
  });

  test('skips selectors in lists above the length limit', () => {
    assert.equal(claim({ exactly: { selectors: selectors(32, 'a') } }), 32);
    assert.equal(claim({ exactly: { selectors: selectors(33, 'a') } }), 0);
    assert.equal(claim({ firstAvailable: Array.from({ length: 9 }, () => ({ selectors: selectors(1, 'a') })) }), 0);
    assert.equal(claim(...Array.from({ length: 33 }, () => ({ exactly: { selectors: selectors(1, 'a') } }))), 0);
  });
});
