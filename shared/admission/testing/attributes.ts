import assert from 'node:assert/strict';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRounds } from '#shared/admission/contract/admission.ts';
import type { ObjectVersions } from '#shared/admission/contract/object-versions.ts';
import { StatusError, type Status } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { doneWith } from '#shared/apimachinery/slices/slices.ts';

/** The attributes of the creation of a pod, with the given changes. */
export function podAttributes(change: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    subresource: '',
    namespace: 'a',
    name: 'p',
    options: {},
    dryRun: false,
    user: { name: 'u', uid: '', groups: [], extra: {} },
    versions: oneVersion,
    object: pod(),
    addWarning: () => undefined,
    addAuditAnnotation: () => undefined,
    ...change,
  };
}

/** A resource in a single version, whose objects plugins see as they are. */
const oneVersion: ObjectVersions = {
  equivalents: [],
  schema: () => assert.fail('the type is not asked for'),
  labelsOf: ({ metadata }) => metadata.labels,
  show: doneWith,
  *take(object, changed) {
    yield;
    Object.assign(object, changed);
  },
};

/** The attributes of the creation of a config map, with the given changes. */
export function configMapAttributes(change: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return podAttributes({
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    name: '',
    object: { metadata: { name: 'x' } },
    ...change,
  });
}

export function pod(spec: KubeObject['spec'] & object = {}, name = 'p'): KubeObject {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

/** The rounds of a request whose mutating plugins run for the first time. */
export function firstRound(): AdmissionRounds {
  return { isSecond: false, kept: new Map(), requestSecond: () => undefined };
}

/** The Status with which the plugin refuses in one of its two phases; undefined if it admits the request. */
export async function refusalOf(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<Status | undefined> {
  try {
    await plugin.admit?.(attributes, firstRound());
    await plugin.validate?.(attributes);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error.status;
  }
}
