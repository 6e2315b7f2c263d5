import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DomainTrees, isDomain } from './domain-names.ts';

describe('isDomain', () => {
  for (const text of ['', 'a', 'a.example', '*.a.example', 'under_score.a', 'A.EXAMPLE']) {
    test(`accepts "${text}"`, () => assert.equal(isDomain(text), true));
  }

  for (const text of ['.', '.a', 'a.', 'a..b', 'a b', 'a\n', 'é.example', '\x7f']) {
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(isDomain(text), false));
  }

  test('accepts a leading dot of a constraint only', () => {
    assert.equal(isDomain('.a.example', true), true);
    assert.equal(isDomain('..a.example', true), false);
    assert.equal(isDomain('.', true), false);
  });
});

describe('DomainTrees', () => {
  // RFC 5280 section 4.2.1.10 for names of hosts, and a leading dot as for URIs.
  for (const [constraint, covered, others] of [
    [
      'a.example',
      ['a.example', 'A.Example', 'b.a.example', 'c.b.a.example'],
      ['ba.example', 'example', 'a.example.org', ''],
    ],
    ['.a.example', ['b.a.example', 'c.b.a.example'], ['a.example', 'ba.example']],
    ['', ['', 'a', 'a.example'], []],
  ] as const) {
    test(`covers what stands below "${constraint}"`, () => {
      const trees = new DomainTrees([constraint]);
      for (const name of covered) assert.equal(trees.covers(name), true, name);
      for (const name of others) assert.equal(trees.covers(name), false, name);
    });
  }

  test('covers names below any of its domains', () => {
    const trees = new DomainTrees(['a.example', 'b.example', 'longer.example']);
    assert.deepEqual(
      ['x.a.example', 'b.example', 'x.longer.example', 'c.example'].map((name) => trees.covers(name)),
      [true, true, true, false],
    );
  });

  test('meets a wildcard with the domain beside it, in any case', () => {
    const trees = new DomainTrees(['secret.a.example']);
    assert.deepEqual(
      ['*.a.example', '*.A.Example', '*.b.example', '*.secret.a.example', 'x.a.example'].map((name) =>
        trees.wildcardMeets(name),
      ),
      [true, true, false, false, false],
    );
  });
});
