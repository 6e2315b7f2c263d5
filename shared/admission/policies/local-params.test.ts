import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { LocalParams } from './local-params.ts';

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap' };
const [validating, mutating] = [{}, {}];

function paramsOver(caches: FakeCaches): LocalParams {
  return new LocalParams({
    caches,
    facts: loadFacts(),
    serves: () => true,
    conversionOf: () => undefined,
    distant: { find: () => Promise.resolve(undefined), keepOnly: () => undefined, close: () => undefined },
  });
}

function putConfigMap(caches: FakeCaches, name: string): void {
  caches.put('', 'configmaps', { metadata: { name, namespace: 'a' } });
}

describe('LocalParams', () => {
  test('keeps a kind that one plugin has found while another plugin tells its own kinds', async () => {
    const caches = new FakeCaches();
    putConfigMap(caches, 'early');
    const params = paramsOver(caches);
    const lister = (await params.find(validating, configMaps)) ?? assert.fail('no lister');
    params.keepOnly(mutating, []);
    await lister.ready();
    putConfigMap(caches, 'late');
    assert.notEqual(lister.get('a', 'early'), undefined);
    assert.notEqual(lister.get('a', 'late'), undefined);
    params.close();
  });

  test('gives two plugins that look for a kind at once the same parameters', async () => {
    const params = paramsOver(new FakeCaches());
    const found = await Promise.all([params.find(validating, configMaps), params.find(mutating, configMaps)]);
    assert.equal(found[0], found[1]);
    params.close();
  });

  test('opens a kind anew once no plugin names it any more', async () => {
    const params = paramsOver(new FakeCaches());
    const before = await params.find(validating, configMaps);
    params.keepOnly(validating, []);
    assert.notEqual(await params.find(validating, configMaps), before);
    params.close();
  });
});
