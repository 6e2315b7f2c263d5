import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { builtInResources } from './apis/index.ts';
import { coreStrategies } from './built-in-definitions.ts';
import { isServedHere } from './core-resources.ts';
import { defaultDependencies } from './testing/default-dependencies.ts';

describe('built-in resources', () => {
  test('have one entry each in the lists of servers/core/apis', () => {
    const served = loadFacts()
      .groups()
      .filter(({ name }) => isServedHere(name))
      .flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
    assert.deepEqual(
      builtInResources.map(({ group, resource }) => `${group}/${resource}`).toSorted(),
      [...new Set(served.map(({ group, resource }) => `${group}/${resource}`))].toSorted(),
    );
  });

  test('get no strategy without an entry', () => {
    assert.throws(
      () => coreStrategies(defaultDependencies)('apps', 'podsets'),
      /podsets of group "apps" is in no list/,
    );
  });
});
