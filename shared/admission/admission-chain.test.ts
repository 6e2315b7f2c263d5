import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAdmissionChain } from './admission-chain.ts';
import { flagsWith } from './testing/admission-flags.ts';
import { configMapAttributes } from './testing/attributes.ts';

describe('createAdmissionChain', () => {
  test('calls only plugins that handle the operation', async () => {
    const asked: string[] = [];
    const chain = createAdmissionChain(flagsWith({ enableAdmissionPlugins: ['AlwaysDeny'] }), {
      AlwaysDeny: () => ({
        name: 'AlwaysDeny',
        handles: (operation) => operation === 'DELETE',
        validate: () => void asked.push('validate'),
      }),
      Priority: () => ({ name: 'Priority', handles: () => true, admit: () => void asked.push('admit') }),
    });
    await chain.admit(configMapAttributes({}));
    await chain.validate(configMapAttributes({}));
    assert.deepEqual(asked, ['admit']);
    assert.ok(chain.handles('DELETE', { group: '', resource: 'configmaps' }));
  });

  test('asks each plugin once whether it handles an operation on a resource', async () => {
    const asked: string[] = [];
    const chain = createAdmissionChain(flagsWith(), {
      Priority: () => ({
        name: 'Priority',
        handles(operation, { group, resource }) {
          asked.push(`${operation} ${resource}.${group}`);
          return resource === 'pods';
        },
        admit: () => assert.fail('config maps are not wanted'),
      }),
    });
    for (const operation of ['CREATE', 'CREATE', 'UPDATE'] as const)
      await chain.admit(configMapAttributes({ operation }));
    assert.ok(!chain.handles('CREATE', { group: '', resource: 'configmaps' }));
    assert.ok(chain.handles('CREATE', { group: '', resource: 'pods' }));
    assert.deepEqual(asked, ['CREATE configmaps.', 'UPDATE configmaps.', 'CREATE pods.']);
  });

  test('asks again after a plugin said that its answers changed', async () => {
    let changed = (): void => assert.fail('the chain listens to the plugin');
    let isWanted = false;
    let calls = 0;
    const chain = createAdmissionChain(flagsWith(), {
      Priority: () => ({
        name: 'Priority',
        handles: () => isWanted,
        onHandlesChanged: (tell) => void (changed = tell),
        validate: () => void calls++,
      }),
    });
    await chain.validate(configMapAttributes({}));
    isWanted = true;
    await chain.validate(configMapAttributes({}));
    assert.equal(calls, 0);
    changed();
    await chain.validate(configMapAttributes({}));
    assert.equal(calls, 1);
  });

  test('tells resources of the same name in several groups apart, and remembers a bounded number', () => {
    let asked = 0;
    const chain = createAdmissionChain(flagsWith(), {
      Priority: () => ({
        name: 'Priority',
        handles: (_operation, { group }) => ++asked > 0 && group === 'b',
        admit: () => undefined,
      }),
    });
    assert.ok(!chain.handles('CREATE', { group: 'a', resource: 'pods' }));
    assert.ok(chain.handles('CREATE', { group: 'b', resource: 'pods' }));
    for (let i = 0; i < 10_000; i++) chain.handles('CREATE', { group: `g${i}`, resource: 'pods' });
    chain.handles('CREATE', { group: 'a', resource: 'pods' });
    assert.equal(asked, 10_003);
  });

  test('runs all mutating plugins once more when one asks for it, and not a third time', async () => {
    const calls: string[] = [];
    const chain = createAdmissionChain(flagsWith({ enableAdmissionPlugins: ['NamespaceExists'] }), {
      NamespaceExists: () => ({
        name: 'NamespaceExists',
        handles: () => true,
        admit: (_attributes, rounds) => void calls.push(`first ${rounds.isSecond}`),
      }),
      Priority: () => ({
        name: 'Priority',
        handles: () => true,
        admit(_attributes, rounds) {
          calls.push(`second ${rounds.isSecond} ${String(rounds.kept.get('Priority'))}`);
          rounds.kept.set('Priority', 'kept');
          rounds.requestSecond();
        },
      }),
    });
    await chain.admit(configMapAttributes({}));
    assert.deepEqual(calls, ['first false', 'second false undefined', 'first true', 'second true kept']);
  });
});
