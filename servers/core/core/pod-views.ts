import { semanticEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { forbidden, invalid, path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { ensureObject } from '../../../shared/apimachinery/set-default.ts';
import type { ParentView } from '../../../shared/registry/rest.ts';
import { goDiff } from '../validation/go-diff.ts';
import { validatePodObject } from '../validation/pods.ts';
import { podQosClass } from './pod-qos.ts';

const containerLists = ['initContainers', 'containers'];

/** `pods/ephemeralcontainers`: adds containers for debugging and changes nothing else (KEP-277). */
export const ephemeralContainersView: ParentView = {
  read: (pod) => pod,
  write(_context, pod, body) {
    const list = objectAt(body, 'spec')?.['ephemeralContainers'];
    const spec = ensureObject(pod, 'spec');
    if (list === undefined) delete spec['ephemeralContainers'];
    else spec['ephemeralContainers'] = list;
    return pod;
  },
  validate: (_context, pod, old) => [...validatePodObject(pod), ...validateEphemeral(pod, old)],
};

function validateEphemeral(pod: KubeObject, old: KubeObject): FieldError[] {
  const field = path('spec', 'ephemeralContainers');
  const errors: FieldError[] = [];
  for (const before of objectsAt(old, 'spec', 'ephemeralContainers')) {
    const name = stringAt(before, 'name');
    const now = objectsAt(pod, 'spec', 'ephemeralContainers').find((container) => stringAt(container, 'name') === name);
    if (!now) errors.push(forbidden(field, `existing ephemeral containers ${JSON.stringify(name)} may not be removed\n`));
    else if (!semanticEqual(now, before)) {
      const change = goDiff('io.k8s.api.core.v1.EphemeralContainer', before, now);
      errors.push(forbidden(field, `existing ephemeral containers ${JSON.stringify(name)} may not be changed\n${change}`));
    }
  }
  return errors;
}

/** `pods/resize`: changes the resources of containers in place (KEP-1287). */
export const resizeView: ParentView = {
  read: (pod) => pod,
  write(_context, pod, body) {
    for (const list of containerLists) {
      const wanted = new Map(objectsAt(body, 'spec', list).map((container) => [stringAt(container, 'name'), container]));
      for (const container of objectsAt(pod, 'spec', list)) takeResources(container, wanted.get(stringAt(container, 'name')));
    }
    return pod;
  },
  validate(_context, pod, old) {
    const errors: FieldError[] = [];
    const before = stringAt(old, 'status', 'qosClass');
    const after = podQosClass(ensureObject(pod, 'spec'));
    if (after !== before) errors.push(invalid(path('spec'), before, 'Pod QOS Class may not change as a result of resizing'));
    if (!nodeReportsResources(old)) errors.push(forbidden(path('spec'), 'Pod running on node without support for resize'));
    return errors;
  },
};

function takeResources(container: JsonObject, wanted: JsonObject | undefined): void {
  for (const key of ['resources', 'resizePolicy']) {
    const value = wanted?.[key];
    if (value !== undefined) container[key] = value;
  }
}

/** A kubelet that can resize reports the resources of running containers; without one nobody can tell. */
function nodeReportsResources(pod: KubeObject): boolean {
  const running = objectsAt(pod, 'status', 'containerStatuses').find((status) => objectAt(status, 'state', 'running'));
  return running === undefined || objectAt(running, 'resources') !== undefined;
}
