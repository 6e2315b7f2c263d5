import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import { resourceCriteria } from '#shared/admission/matching/match-criteria.ts';
import { failurePolicyOf } from '#shared/admission/policies/contract/failure-policy.ts';
import type { ParamLister } from '#shared/admission/policies/contract/param-source.ts';
import { PolicyRequest } from '#shared/admission/policies/evaluation/policy-request.ts';
import { firstRound } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { readTable } from '#shared/admission/testing/read-table.ts';
import { attributesOf, type RecordedError, type RecordedRequest } from '#shared/admission/testing/recorded-request.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { canonicalObject } from '#shared/apimachinery/managed-fields/canonical-object.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import { compileMutatingPolicy } from './compile-policy.ts';
import { MutatingDispatch, type MutatingHook } from './dispatch.ts';

interface RecordedPolicy {
  readonly policy: string;
  readonly spec: JsonObject;
  readonly bindings: readonly { readonly name: string; readonly spec: JsonObject }[];
  readonly params: readonly KubeObject[] | null;
}

interface RecordedDispatch {
  readonly attributes: RecordedRequest;
  readonly hooks: readonly RecordedPolicy[];
  readonly error: RecordedError;
  readonly object: KubeObject;
}

interface RecordedMutation {
  readonly attributes: RecordedRequest;
  readonly spec: JsonObject;
  readonly params?: KubeObject;
  readonly namespace?: KubeObject;
  readonly error: RecordedError | string;
  readonly patched?: KubeObject;
}

/** A patch that a test of upstream merges without an expression. */
interface RecordedMerge {
  readonly object: KubeObject;
  readonly patch: JsonObject;
  readonly merged: KubeObject;
}

const compiler = new ConditionCompiler(baseEnvironments(36));
const all = { namespaceSelector: {}, objectSelector: {} };

function listing(params: readonly KubeObject[]): ParamLister {
  const held = params.map((object) => ({ object, value: jsonValue(object) }));
  return {
    namespaced: params.some(({ metadata }) => metadata.namespace !== undefined),
    isReady: () => true,
    ready: () => Promise.resolve(),
    get: (_, name) => held.find(({ object }) => object.metadata.name === name),
    list: () => held,
  };
}

async function hookOf({ policy: name, spec, bindings, params }: RecordedPolicy): Promise<MutatingHook> {
  return {
    name,
    spec,
    failurePolicy: failurePolicyOf(spec),
    configurationError: undefined,
    criteria: resourceCriteria((spec['matchConstraints'] as JsonObject | undefined) ?? all),
    evaluator: await inSlices(compileMutatingPolicy(name, spec, compiler)),
    bindings: bindings.map((binding) => ({ ...binding, criteria: undefined })),
    params: listing(params ?? []),
  };
}

/** The error of the first policy that fails, or that of the request. */
async function dispatch(
  attributes: AdmissionAttributes,
  policies: readonly RecordedPolicy[],
  namespace: KubeObject = { metadata: { name: attributes.namespace } },
): Promise<string | undefined> {
  const caches = new FakeCaches();
  caches.put('', 'namespaces', namespace);
  const namespaces = new ObjectLister(caches, '', 'namespaces');
  const request = new PolicyRequest(attributes, { namespaces, authorize: () => ({ allowed: true, reason: '' }) });
  try {
    const hooks = await Promise.all(policies.map(hookOf));
    const [failure] = await inSlices(new MutatingDispatch(request, firstRound()).run(hooks));
    return failure?.message;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error.message;
  }
}

/** An object as Go prints it, without the names of its type. */
async function printed({ versions, kind }: AdmissionAttributes, object: KubeObject): Promise<JsonValue> {
  const {
    kind: _,
    apiVersion: __,
    ...rest
  } = await inSlices(canonicalObject(versions.schema(kind), structuredClone(object)));
  return JSON.parse(JSON.stringify(rest)) as JsonValue;
}

/** An ApplyConfiguration with the members of a patch. */
function expressionOf(value: JsonValue, type = 'Object'): string {
  if (Array.isArray(value)) return `[${value.map((item) => expressionOf(item, type)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `${type}{${Object.entries(value)
    .filter(([key]) => type !== 'Object' || (key !== 'kind' && key !== 'apiVersion'))
    .map(([key, item]) => `${key}: ${expressionOf(item ?? null, `${type}.${key}`)}`)
    .join()}}`;
}

function alone(spec: JsonObject, params: readonly KubeObject[] = []): RecordedPolicy {
  const paramRef = { selector: {} };
  return { policy: 'p', spec, bindings: [{ name: 'b', spec: { paramRef } }], params };
}

describe('MutatingDispatch', () => {
  test("applies the mutations of upstream's tests as upstream does", async () => {
    const lines = readTable<RecordedMutation>(import.meta.url, 'mutations');
    for (const { attributes: request, spec, params, namespace, error, patched } of lines) {
      const attributes = attributesOf(request, { namespace: namespace?.metadata.name ?? request.namespace });
      const held = params === undefined ? [] : [{ ...params, metadata: { name: 'x', ...params.metadata } }];
      const { matchConstraints: _, matchConditions: __, ...plain } = spec;
      const told = await dispatch(attributes, [alone(plain, held)], namespace);
      const expected = typeof error === 'string' || error === null ? error : error.message;
      assert.equal(told, expected ?? undefined, JSON.stringify(spec));
      if (patched === undefined || attributes.object === undefined) continue;
      assert.deepEqual(await printed(attributes, attributes.object), await printed(attributes, patched));
    }
    assert.ok(lines.length > 60);
  });

  test("merges the patches of upstream's tests as upstream does", async () => {
    for (const { object, patch, merged } of readTable<RecordedMerge>(import.meta.url, 'merges')) {
      const kind = { group: '', version: 'v1', kind: object.kind ?? '' };
      const resource = { group: '', version: 'v1', resource: 'any' };
      const named = { namespace: '', name: '', subresource: '', dryRun: false };
      const attributes = attributesOf({ operation: 'CREATE', kind, resource, ...named, object });
      const applyConfiguration = { expression: expressionOf(patch) };
      await dispatch(attributes, [alone({ mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration }] })]);
      assert.ok(attributes.object);
      assert.deepEqual(await printed(attributes, attributes.object), await printed(attributes, merged));
    }
  });

  test("answers the requests of upstream's tests as upstream does", async () => {
    const lines = readTable<RecordedDispatch>(import.meta.url, 'mutating-dispatch');
    for (const { attributes: request, hooks, error, object } of lines) {
      const attributes = attributesOf(request);
      assert.equal(await dispatch(attributes, hooks), error?.message);
      assert.ok(attributes.object);
      // The default of the one type that upstream's test has.
      Object.assign(attributes.object['spec'] as JsonObject, { strategy: { type: 'RollingUpdate' } });
      assert.deepEqual(await printed(attributes, attributes.object), await printed(attributes, object));
    }
    assert.equal(lines.length, 5);
  });
});
