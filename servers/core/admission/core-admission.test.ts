import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates as gates } from '#servers/core/testing/default-dependencies.ts';
import { pluginTable } from '#shared/admission/gen/plugin-table.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { corePlugins, corePluginTable, type PluginDependencies } from './core-plugins.ts';

describe('core admission plugins', () => {
  test('are listed in the plugin table of every process in the same order', () => {
    assert.deepEqual(
      pluginTable,
      corePluginTable.map(({ name, byDefault = false, make }) => ({ name, byDefault, isBuilt: make !== undefined })),
    );
  });

  test('are created only where their feature gate is on', () => {
    const makes = (on: Partial<typeof gates>, name: string): boolean =>
      corePlugins({ gates: { ...gates, ...on }, caches: new FakeCaches() } as unknown as PluginDependencies)[
        name
      ]?.() !== undefined;
    assert.equal(makes({ NodeDeclaredFeatures: false }, 'NodeDeclaredFeatureValidator'), false);
    assert.equal(makes({ NodeDeclaredFeatures: true }, 'NodeDeclaredFeatureValidator'), true);
  });

  test('take the default toleration seconds from flags', () => {
    const { options, errors } = parseServerOptions([
      '--default-not-ready-toleration-seconds=7',
      '--default-unreachable-toleration-seconds=8',
    ]);
    assert.deepEqual(
      errors.filter((text) => text.includes('toleration')),
      [],
    );
    assert.deepEqual([options.defaultNotReadyTolerationSeconds, options.defaultUnreachableTolerationSeconds], [7, 8]);
  });
});
