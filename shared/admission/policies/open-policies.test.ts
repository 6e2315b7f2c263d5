import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { configMapAttributes, podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { LocalParams } from './local-params.ts';
import { Policies } from './open-policies.ts';

const group = 'admissionregistration.k8s.io';
const noKinds = { find: () => Promise.resolve(undefined), keepOnly: () => undefined, close: () => undefined };

function policiesOver(caches: FakeCaches): Policies {
  return new Policies({
    caches,
    authorize: () => ({ allowed: true, reason: '' }),
    mutating: true,
    params: new LocalParams({
      caches,
      facts: loadFacts(),
      serves: () => true,
      conversionOf: () => undefined,
      distant: noKinds,
    }),
    reportError: (message, error) => assert.fail(`${message}: ${String(error)}`),
  });
}

function putPolicy(caches: FakeCaches, expression: string, more: JsonObject = {}): void {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
  caches.put(group, 'validatingadmissionpolicies', {
    metadata: { name: 'p' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Exact',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ ...rule, scope: '*' }],
      },
      validations: [{ expression, message: 'no' }],
      ...more,
    },
  });
}

function putBinding(caches: FakeCaches, more: JsonObject = {}): void {
  caches.put(group, 'validatingadmissionpolicybindings', {
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...more },
  });
}

/** A creation in version v1, whose type expressions read. */
const attributes = configMapAttributes({
  versions: {
    ...configMapAttributes().versions,
    schema: () => loadFacts().schema('', 'v1', 'ConfigMap') ?? assert.fail('no schema'),
  },
});

function validating(policies: Policies): AdmissionPlugin {
  return policies.plugins()['ValidatingAdmissionPolicy']?.() ?? assert.fail('no plugin');
}

/** The plugin after the next change of its policies. */
async function changed(plugin: AdmissionPlugin, change: () => void): Promise<void> {
  const next = new Promise<void>((resolve) => plugin.onHandlesChanged?.(resolve));
  change();
  await next;
}

describe('ValidatingAdmissionPolicy', () => {
  test('handles a resource once a policy with a binding is for it', async () => {
    const caches = new FakeCaches();
    caches.put('', 'namespaces', { metadata: { name: 'a' } });
    putPolicy(caches, "object.metadata.name == 'y'");
    const policies = policiesOver(caches);
    const plugin = validating(policies);
    assert.ok(plugin.handles('CREATE', attributes.resource));
    await policies.ready();
    assert.ok(!plugin.handles('CREATE', attributes.resource));
    await changed(plugin, () => putBinding(caches));
    assert.ok(plugin.handles('CREATE', attributes.resource));
    assert.ok(!plugin.handles('CREATE', podAttributes().resource));
    assert.equal((await refusalOf(plugin, attributes))?.code, 422);
    await changed(plugin, () => putPolicy(caches, "object.metadata.name == 'x'"));
    assert.equal(await refusalOf(plugin, attributes), undefined);
    await changed(plugin, () => caches.remove(group, 'validatingadmissionpolicybindings', '', 'b'));
    assert.ok(!plugin.handles('CREATE', attributes.resource));
    policies.close();
  });

  test('reads a parameter as it is when the request arrives', async () => {
    const caches = new FakeCaches();
    caches.put('', 'namespaces', { metadata: { name: 'a' } });
    caches.put('', 'configmaps', { metadata: { name: 'words', namespace: 'a' }, data: { word: 'y' } });
    putPolicy(caches, 'object.metadata.name == params.data.word', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    });
    putBinding(caches, { paramRef: { name: 'words', parameterNotFoundAction: 'Deny' } });
    const policies = policiesOver(caches);
    const plugin = validating(policies);
    await policies.ready();
    assert.equal((await refusalOf(plugin, attributes))?.code, 422);
    caches.put('', 'configmaps', { metadata: { name: 'words', namespace: 'a' }, data: { word: 'x' } });
    assert.equal(await refusalOf(plugin, attributes), undefined);
    policies.close();
  });
});
