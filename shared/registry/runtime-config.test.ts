import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runtimeConfigErrors, runtimeWords } from './runtime-config.ts';

const registered = [
  { group: '', version: 'v1' },
  { group: 'apps', version: 'v1' },
  { group: 'storage.k8s.io', version: 'v1beta1' },
];

describe('runtimeWords', () => {
  test('prefers the value of a stage to that of api/all', () => {
    const words = runtimeWords({ 'api/all': 'true', 'api/beta': 'false' });
    assert.equal(words.stage({ group: 'storage.k8s.io', version: 'v1beta1' }), false);
    assert.equal(words.stage({ group: 'apps', version: 'v1' }), true);
  });

  test('finds the core group by its version alone, and ignores v1/RESOURCE', () => {
    assert.equal(runtimeWords({ 'api/v1': 'false' }).version({ group: '', version: 'v1' }), false);
    assert.equal(runtimeWords({ 'v1/podtemplates': 'false' }).version({ group: '', version: 'v1' }), false);
    assert.equal(
      runtimeWords({ '/v1/podtemplates': 'false' }).resource({ group: '', version: 'v1', resource: 'podtemplates' }),
      false,
    );
  });

  test('reads a key without a value as true', () => {
    assert.equal(
      runtimeWords({ 'storage.k8s.io/v1beta1': '' }).version({ group: 'storage.k8s.io', version: 'v1beta1' }),
      true,
    );
  });
});

describe('runtimeConfigErrors', () => {
  for (const [config, errors] of [
    [{ 'api/all': 'false' }, ['invalid runtime-config with only api/all=false']],
    [{ 'foo/v1': 'true', 'bar.io/v2/x': '' }, ['unknown api groups bar.io/v2,foo/v1']],
    [{ 'apps/v9': 'true' }, ['group version apps/v9 that has not been registered']],
    [{ 'a/b/c/d': 'true' }, ['runtime-config invalid key a/b/c/d']],
    [{ apps: 'true' }, ['runtime-config invalid key apps']],
    [{ 'api/beta': 'maybe' }, ['invalid value api/beta=maybe']],
    [{ 'api/beta': '' }, ['invalid value api/beta=']],
    [
      { 'apps/v1': 'maybe' },
      ['invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
    ],
    [
      { 'apps/v1/Deployments': 'true' },
      [
        'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
      ],
    ],
    [{ 'api/legacy': 'true', v1: 'true' }, []],
  ] as const) {
    test(`${errors.length === 0 ? 'accepts' : 'rejects'} ${JSON.stringify(config)}`, () =>
      assert.deepEqual(runtimeConfigErrors(config, registered), errors));
  }
});
