import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pluginTable } from '../../../shared/admission/plugin-table.ts';
import { parseServerOptions } from '../../../shared/server/options/server-options.ts';
import { defaultGates as gates } from '../testing/default-parts.ts';
import { corePlugins, type PluginParts } from './core-plugins.ts';

test('each plugin that is built has one entry, and each entry a place in the order', () => {
  const built = pluginTable.filter(({ isBuilt }) => isBuilt).map(({ name }) => name);
  assert.deepEqual(Object.keys(corePlugins({ gates } as PluginParts)).sort(), built.sort());
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
