import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { LocalParams } from '#shared/admission/policies/local-params.ts';
import { Policies } from '#shared/admission/policies/open-policies.ts';
import { podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { QuantityError } from '#shared/apimachinery/values/quantity-parse.ts';

const group = 'admissionregistration.k8s.io';
const facts = loadFacts();
const noKinds = { find: () => Promise.resolve(undefined), keepOnly: () => undefined, close: () => undefined };

const patch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const merge = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});

/** The refusal of a request by a policy that mutates all objects, in the version of the rule. */
async function refusal(
  mutation: JsonObject,
  change: Partial<AdmissionAttributes> = {},
  rule: JsonObject = { apiGroups: [''], apiVersions: ['v1'], resources: ['*/*'] },
): Promise<string | undefined> {
  const caches = new FakeCaches();
  caches.put('', 'namespaces', { metadata: { name: 'a' } });
  caches.put(group, 'mutatingadmissionpolicies', {
    metadata: { name: 'p' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ operations: ['*'], scope: '*', ...rule }],
      },
      mutations: [mutation],
      reinvocationPolicy: 'Never',
    },
  });
  caches.put(group, 'mutatingadmissionpolicybindings', { metadata: { name: 'b' }, spec: { policyName: 'p' } });
  const params = { caches, facts, serves: () => true, conversionOf: () => undefined, distant: noKinds };
  const policies = new Policies({
    caches,
    authorize: () => ({ allowed: true, reason: '' }),
    mutating: true,
    params: new LocalParams(params),
    reportError: (message, error) => assert.fail(`${message}: ${String(error)}`),
  });
  await policies.ready();
  const plugin = policies.plugins()['MutatingAdmissionPolicy']?.() ?? assert.fail('no plugin');
  const plain = podAttributes();
  const schema = (kind: GroupVersionKind) =>
    facts.schema(kind.group, kind.version, kind.kind) ?? assert.fail(`no type ${kind.kind}`);
  const versions = { ...plain.versions, ...change.versions, schema };
  const status = await refusalOf(plugin, { ...plain, ...change, versions });
  policies.close();
  return status && `${status.code} ${status.message}`;
}

// The texts are those of the reference, as test/conformance/random-policies found them.
describe('mutation by a policy', () => {
  test('refuses a patch that makes an amount no quantity', async () => {
    assert.equal(
      await refusal(patch("[JSONPatch{op: 'add', path: '/spec/overhead', value: {'cpu': 'x'}}]")),
      "500 Internal error occurred: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  });

  test('asks the failurePolicy about a merged amount that is no quantity', async () => {
    const versions = {
      ...podAttributes().versions,
      *take(): Steps<void> {
        yield;
        throw new QuantityError('no quantity');
      },
    };
    assert.equal(
      await refusal(merge("Object{metadata: Object.metadata{annotations: {'a': 'b'}}}"), { versions }),
      "403 policy 'p' with binding 'b' denied request: unable to convert unstructured object to /v1, Kind=Pod: no quantity",
    );
  });

  test('tells unknown fields of a patch in the order of their names', async () => {
    assert.equal(
      await refusal(
        patch(
          "[JSONPatch{op: 'add', path: '/spec/z', value: 'x'}, JSONPatch{op: 'add', path: '/spec/a.b', value: 'x'}]",
        ),
      ),
      '500 Internal error occurred: strict decoding error: unknown field "spec.a.b", unknown field "spec.z"',
    );
  });

  test('is refused in another version than that of the request', async () => {
    const one = { group: 'autoscaling', version: 'v1' };
    const kind = { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' };
    const resource = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
    const equivalents = [
      { resource: { ...resource, ...one }, kind: { ...kind, ...one } },
      { resource, kind },
    ];
    const object = { metadata: { name: 'x' }, spec: {} };
    assert.equal(
      await refusal(
        merge("Object{metadata: Object.metadata{annotations: {'a': 'b'}}}"),
        { kind, resource, object, versions: { ...podAttributes().versions, equivalents } },
        { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['*'] },
      ),
      "403 policy 'p' with binding 'b' denied request: converting (v1.HorizontalPodAutoscaler) to (v2.HorizontalPodAutoscaler): unknown conversion",
    );
  });

  test('has no types for bodies of subresources that are of another group', async () => {
    assert.equal(
      await refusal(merge("Object{metadata: Object.metadata{annotations: {'a': 'b'}}}"), {
        kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
        subresource: 'eviction',
        object: { metadata: { name: 'p' } },
      }),
      "403 policy 'p' with binding 'b' denied request: error applying patch: failed to convert patch object to typed object: no corresponding type for policy/v1, Kind=Eviction",
    );
  });
});
