import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeConfigErrors, runtimeWords } from './runtime-config.ts';

const registered = [
  { group: '', version: 'v1' },
  { group: 'apps', version: 'v1' },
  { group: 'storage.k8s.io', version: 'v1beta1' },
];

test('the word on a stage counts more than that on all', () => {
  const words = runtimeWords({ 'api/all': 'true', 'api/beta': 'false' });
  assert.equal(words.stage({ group: 'storage.k8s.io', version: 'v1beta1' }), false);
  assert.equal(words.stage({ group: 'apps', version: 'v1' }), true);
});

test('the core group goes by its version alone, and a resource behind it is not looked at', () => {
  assert.equal(runtimeWords({ 'api/v1': 'false' }).version({ group: '', version: 'v1' }), false);
  assert.equal(runtimeWords({ 'v1/podtemplates': 'false' }).version({ group: '', version: 'v1' }), false);
  assert.equal(
    runtimeWords({ '/v1/podtemplates': 'false' }).resource({ group: '', version: 'v1', resource: 'podtemplates' }),
    false,
  );
});

test('a key without a value is true', () => {
  assert.equal(
    runtimeWords({ 'storage.k8s.io/v1beta1': '' }).version({ group: 'storage.k8s.io', version: 'v1beta1' }),
    true,
  );
});

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
  test(`${JSON.stringify(config)} is ${errors.length === 0 ? 'fine' : 'refused'}`, () =>
    assert.deepEqual(runtimeConfigErrors(config, registered), errors));
}
