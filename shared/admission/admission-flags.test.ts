import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { enabledPlugins, validateAdmissionFlags } from './admission-flags.ts';
import { pluginTable } from './gen/plugin-table.ts';
import { flagsWith } from './testing/admission-flags.ts';

describe('pluginTable and enabledPlugins', () => {
  test('have 41 plugins in the order of the reference, 27 of them by default', () => {
    assert.equal(pluginTable.length, 41);
    assert.equal(pluginTable.filter((plugin) => plugin.byDefault).length, 27);
    const names = enabledPlugins(
      flagsWith({ enableAdmissionPlugins: ['NamespaceExists'], disableAdmissionPlugins: ['LimitRanger'] }),
    );
    assert.deepEqual(names.slice(0, 3), ['NamespaceLifecycle', 'NamespaceExists', 'ServiceAccount']);
  });

  test('enable what the deprecated flag names, in the order of the reference, and nothing else', () => {
    const names = enabledPlugins(flagsWith({ admissionControl: ['Priority', 'AlwaysAdmit'] }));
    assert.deepEqual(names, ['AlwaysAdmit', 'Priority']);
    assert.deepEqual(enabledPlugins(flagsWith({ admissionControl: [] })), []);
  });
});

describe('validateAdmissionFlags', () => {
  test('rejects unknown and contradictory plugin names together', () => {
    const flags = flagsWith({ enableAdmissionPlugins: ['Nope', 'Priority'], disableAdmissionPlugins: ['Priority'] });
    assert.deepEqual(validateAdmissionFlags(flags), [
      'enable-admission-plugins plugin "Nope" is unknown',
      '[Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
    ]);
  });

  test('rejects enabling a plugin that is not built yet, but accepts disabling it', () => {
    const missing = pluginTable.filter(({ isBuilt }) => !isBuilt).map(({ name }) => name);
    const texts = missing.map((name) => `plugin "${name}" is not available yet: nothing would be checked by it`);
    assert.deepEqual(
      validateAdmissionFlags(flagsWith({ enableAdmissionPlugins: missing })),
      texts.map((text) => `enable-admission-plugins ${text}`),
    );
    assert.deepEqual(
      validateAdmissionFlags(flagsWith({ admissionControl: missing })),
      texts.map((text) => `admission-control ${text}`),
    );
    assert.deepEqual(validateAdmissionFlags(flagsWith({ disableAdmissionPlugins: missing })), []);
  });
});
