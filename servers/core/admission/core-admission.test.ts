import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultGates as gates } from '#servers/core/testing/default-parts.ts';
import { pluginTable } from '#shared/admission/gen/plugin-table.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { parseServerOptions } from '#shared/server/options/server-options.ts';
import { corePlugins, corePluginTable, type PluginParts } from './core-plugins.ts';

test('every process knows the plugins of this server, in their order', () => {
  assert.deepEqual(
    pluginTable,
    corePluginTable.map(({ name, byDefault = false, make }) => ({ name, byDefault, isBuilt: make !== undefined })),
  );
});

test('a plugin is made where it is built and its gate is on', () => {
  const makes = (on: Partial<typeof gates>, name: string): boolean =>
    corePlugins({ gates: { ...gates, ...on }, caches: new FakeCaches() } as unknown as PluginParts)[name]?.() !==
    undefined;
  assert.equal(makes({}, 'ImagePolicyWebhook'), false);
  assert.equal(makes({ NodeDeclaredFeatures: false }, 'NodeDeclaredFeatureValidator'), false);
  assert.equal(makes({ NodeDeclaredFeatures: true }, 'NodeDeclaredFeatureValidator'), true);
});

test('how long pods tolerate broken nodes is chosen by flags', () => {
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
