import assert from 'node:assert/strict';
import type { KubeObject } from '../../apimachinery/object.ts';
import { StatusError, type Status } from '../../apimachinery/status.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../contract/admission.ts';

/** The creation of a pod, or whatever the change makes of it. */
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
    object: pod(),
    addWarning: () => undefined,
    addAuditAnnotation: () => undefined,
    ...change,
  };
}

export function pod(spec: KubeObject['spec'] & object = {}, name = 'p'): KubeObject {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
}

/** What the plugin refuses with in one of its two phases; undefined if it lets the request through. */
export async function refusalOf(plugin: AdmissionPlugin, attributes: AdmissionAttributes): Promise<Status | undefined> {
  try {
    await plugin.admit?.(attributes);
    await plugin.validate?.(attributes);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error.status;
  }
}
