import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareSemanticVersions, parseSemanticVersion } from './semantic-version.ts';

describe('semantic versions', () => {
  test('sort in the precedence order of semver.org', () => {
    const ordered = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
    ];
    const parsed = ordered.map((text) => parseSemanticVersion(text) ?? assert.fail(text));
    for (const [i, a] of parsed.entries()) {
      for (const [j, b] of parsed.entries())
        assert.equal(Math.sign(compareSemanticVersions(a, b)), Math.sign(i - j), `${ordered[i]} and ${ordered[j]}`);
    }
  });

  test('compare equal when only build metadata differs', () => {
    const [a, b] = ['1.0.0+a', '1.0.0+b.c'].map(parseSemanticVersion);
    assert.equal(a && b && compareSemanticVersions(a, b), 0);
  });

  test('refuse leading zeros, missing numbers, a leading v and numbers above 64 bits', () => {
    for (const text of [
      '',
      '1',
      '1.2',
      'v1.2.3',
      '01.2.3',
      '1.2.3-01',
      '1.2.3-',
      '1.2.3+',
      '1.2.3-a..b',
      '18446744073709551616.0.0',
      ' 1.2.3',
    ])
      assert.equal(parseSemanticVersion(text), undefined, text);
  });
});
