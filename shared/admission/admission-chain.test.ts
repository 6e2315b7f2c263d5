import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAdmissionChain, enabledPlugins, validateAdmissionFlags } from './admission-chain.ts';
import { pluginTable } from './gen/plugin-table.ts';
import { configMapAttributes } from './testing/attributes.ts';

describe('pluginTable and enabledPlugins', () => {
  test('have 41 plugins in the order of the reference, 27 of them by default', () => {
    assert.equal(pluginTable.length, 41);
    assert.equal(pluginTable.filter((plugin) => plugin.byDefault).length, 27);
    const names = enabledPlugins({
      enableAdmissionPlugins: ['NamespaceExists'],
      disableAdmissionPlugins: ['LimitRanger'],
    });
    assert.deepEqual(names.slice(0, 3), ['NamespaceLifecycle', 'NamespaceExists', 'ServiceAccount']);
  });
});

describe('validateAdmissionFlags', () => {
  test('rejects unknown and contradictory plugin names together', () => {
    assert.deepEqual(
      validateAdmissionFlags({ enableAdmissionPlugins: ['Nope', 'Priority'], disableAdmissionPlugins: ['Priority'] }),
      [
        'enable-admission-plugins plugin "Nope" is unknown',
        '[Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
      ],
    );
  });

  test('rejects enabling a plugin that is not built yet, but accepts disabling it', () => {
    const refused = validateAdmissionFlags({
      enableAdmissionPlugins: ['PodNodeSelector', 'NodeRestriction', 'ValidatingAdmissionWebhook'],
      disableAdmissionPlugins: ['MutatingAdmissionWebhook'],
    });
    assert.deepEqual(
      refused,
      ['PodNodeSelector', 'ValidatingAdmissionWebhook'].map(
        (name) => `enable-admission-plugins plugin "${name}" is not available yet: nothing would be checked by it`,
      ),
    );
  });
});

describe('createAdmissionChain', () => {
  test('calls only plugins that handle the operation', async () => {
    const asked: string[] = [];
    const chain = createAdmissionChain(
      { enableAdmissionPlugins: ['AlwaysDeny'], disableAdmissionPlugins: [] },
      {
        AlwaysDeny: () => ({
          name: 'AlwaysDeny',
          handles: (operation) => operation === 'DELETE',
          validate: () => void asked.push('validate'),
        }),
        Priority: () => ({ name: 'Priority', handles: () => true, admit: () => void asked.push('admit') }),
      },
    );
    await chain.admit(configMapAttributes({}));
    await chain.validate(configMapAttributes({}));
    assert.deepEqual(asked, ['admit']);
    assert.ok(chain.handles('DELETE', { group: '', resource: 'configmaps' }));
  });

  test('asks each plugin once whether it handles an operation on a resource', async () => {
    const asked: string[] = [];
    const chain = createAdmissionChain(
      { enableAdmissionPlugins: [], disableAdmissionPlugins: [] },
      {
        Priority: () => ({
          name: 'Priority',
          handles(operation, { group, resource }) {
            asked.push(`${operation} ${resource}.${group}`);
            return resource === 'pods';
          },
          admit: () => assert.fail('config maps are not wanted'),
        }),
      },
    );
    for (const operation of ['CREATE', 'CREATE', 'UPDATE'] as const)
      await chain.admit(configMapAttributes({ operation }));
    assert.ok(!chain.handles('CREATE', { group: '', resource: 'configmaps' }));
    assert.ok(chain.handles('CREATE', { group: '', resource: 'pods' }));
    assert.deepEqual(asked, ['CREATE configmaps.', 'UPDATE configmaps.', 'CREATE pods.']);
  });
});
