import type { Gates } from '#servers/core/gates/gates.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { forbidden, path, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { rootField } from '#shared/apimachinery/validation/field-rules.ts';
import { copyMember } from './node-placement.ts';
import { isMirror } from './pod-annotations.ts';

const specField = path('spec');
const lists = ['containers', 'initContainers'] as const;
const amountLists = ['limits', 'requests'] as const;
const specModel = 'io.k8s.api.core.v1.PodSpec';
const containerModel = 'io.k8s.api.core.v1.Container';
const requirementsModel = 'io.k8s.api.core.v1.ResourceRequirements';

/** The error of a pod that cannot be resized at all; its resize gets no other errors. */
export function refuseResize(old: KubeObject): FieldError[] {
  if (isMirror(old.metadata)) return [forbidden(rootField, 'static pods cannot be resized')];
  if (stringAt(old, 'spec', 'os', 'name') === 'windows')
    return [forbidden(rootField, 'windows pods cannot be resized')];
  return [];
}

/**
 * Checks that a resize changes only amounts of cpu and memory, and removes none (pkg/apis/core/validation,
 * ValidatePodResize, KEP-1287). The caller validates the QoS classes and the new spec itself.
 * @param found the errors of the caller's validation
 * @returns all errors
 */
export function validateResizeChange(
  pod: KubeObject,
  old: KubeObject,
  gates: Gates,
  found: readonly FieldError[],
): FieldError[] {
  const [spec, before] = [objectAt(pod, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  const errors = nodeReportsResources(old)
    ? [...found]
    : [...found, forbidden(specField, 'Pod running on node without support for resize')];
  const munged = { ...spec };
  if (asksForItself(spec) || asksForItself(before)) {
    if (!gates.InPlacePodLevelResourcesVerticalScaling) {
      return [
        ...errors,
        forbidden(
          rootField,
          'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled',
        ),
      ];
    }
    errors.push(...validatePodLevelChange(munged, before));
  }
  if (objectsAt(old, 'status', 'nodeAllocatableResourceClaimStatuses').length > 0)
    errors.push(forbidden(specField, 'pods with node allocatable resource claims cannot be resized'));
  const order = lists.flatMap((list) => validateOrder(objectsAt(spec, list), objectsAt(before, list), list));
  if (order.length > 0) return [...errors, ...order];
  errors.push(
    ...validateNothingRemoved(spec, before, gates, 'initContainers'),
    ...validateNothingRemoved(spec, before, gates, 'containers'),
  );
  errors.push(...mungeContainers(munged, before), ...mungeInitContainers(munged, before, gates));
  return errors.length > 0 || sameAs(specModel, munged, before)
    ? errors
    : [forbidden(specField, 'only cpu and memory resources are mutable')];
}

/** A kubelet that can resize reports the resources of running containers. Without a running container: true. */
function nodeReportsResources(pod: KubeObject): boolean {
  const running = objectsAt(pod, 'status', 'containerStatuses').find((status) => objectAt(status, 'state', 'running'));
  return running === undefined || objectAt(running, 'resources') !== undefined;
}

/** Whether the spec sets pod-level resources (KEP-2837). */
function asksForItself(spec: JsonObject): boolean {
  return amountLists.some((list) => Object.keys(objectAt(spec, 'resources', list) ?? {}).length > 0);
}

/** Resets the pod-level amounts in `munged` that may change to their old values, and refuses other changes. */
function validatePodLevelChange(munged: JsonObject, before: JsonObject): FieldError[] {
  const [now, then] = [objectAt(munged, 'resources'), objectAt(before, 'resources')];
  const field = specField.child('resources');
  if (then !== undefined && now === undefined) return [forbidden(field, 'pod-level resources cannot be removed')];
  const removed = validateRemoval(now, then, field, 'pod-level resource');
  if (now === undefined) return removed;
  const kept = { ...now, ...otherAmounts(now, then) };
  const holdsNothing = [...amountLists, 'claims'].every((list) => Object.keys(getKey(kept, list) ?? {}).length === 0);
  copyMember(munged, then === undefined && holdsNothing ? {} : { resources: kept }, 'resources');
  return sameAs(requirementsModel, objectAt(munged, 'resources'), then)
    ? removed
    : [...removed, forbidden(specField, 'only cpu and memory resources are mutable at pod-level')];
}

function validateOrder(now: readonly JsonObject[], then: readonly JsonObject[], list: string): FieldError[] {
  const field = specField.child(list);
  if (now.length !== then.length) return [forbidden(field, `${list} may not be added or removed on resize`)];
  return then.flatMap((container, index) =>
    stringAt(now[index], 'name') === stringAt(container, 'name')
      ? []
      : [forbidden(field.index(index).child('name'), `${list} may not be renamed or reordered on resize`)],
  );
}

function validateNothingRemoved(spec: JsonObject, before: JsonObject, gates: Gates, list: string): FieldError[] {
  const now = objectsAt(spec, list);
  return objectsAt(before, list).flatMap((then, index) =>
    list === 'initContainers' && !mayBeResized(then, gates)
      ? []
      : validateRemoval(
          objectAt(now[index], 'resources'),
          objectAt(then, 'resources'),
          specField.child(list).index(index).child('resources'),
          'resource',
        ),
  );
}

function validateRemoval(
  now: JsonObject | undefined,
  then: JsonObject | undefined,
  field: Path,
  what: string,
): FieldError[] {
  return (['requests', 'limits'] as const).flatMap((list) => {
    const amounts = objectAt(now, list) ?? {};
    const removed = Object.keys(objectAt(then, list) ?? {}).some((name) => !Object.hasOwn(amounts, name));
    return removed ? [forbidden(field.child(list), `${what} ${list} cannot be removed`)] : [];
  });
}

/** Init containers other than sidecars can be resized only with the feature gate on. */
function mayBeResized(container: JsonObject, gates: Gates): boolean {
  return isSidecar(container) || gates.InPlacePodVerticalScalingInitContainers;
}

function isSidecar(container: JsonObject): boolean {
  return stringAt(container, 'restartPolicy') === 'Always';
}

function mungeContainers(munged: JsonObject, before: JsonObject): FieldError[] {
  const then = objectsAt(before, 'containers');
  const containers = objectsAt(munged, 'containers').map((container, index) => withAmountsOf(container, then[index]));
  munged['containers'] = containers;
  return containers
    .filter((container, index) => !sameAs(containerModel, container, then[index]))
    .map(() => forbidden(specField, 'only cpu and memory resources are mutable'));
}

function mungeInitContainers(munged: JsonObject, before: JsonObject, gates: Gates): FieldError[] {
  const errors: FieldError[] = [];
  const then = objectsAt(before, 'initContainers');
  munged['initContainers'] = objectsAt(munged, 'initContainers').map((container, index) => {
    const isChanged = !sameAs(containerModel, container, then[index]);
    if (!mayBeResized(container, gates)) {
      if (isChanged) errors.push(forbidden(specField, 'resources for non-sidecar init containers are immutable'));
      return container;
    }
    const field = specField.child('initContainers').index(index);
    const kept = withAmountsOf(container, then[index]);
    if (!sameAs(containerModel, kept, then[index]))
      errors.push(forbidden(field, 'only cpu and memory resources for init or sidecar containers are mutable'));
    if (isChanged && !isSidecar(container)) errors.push(...refuseRestarts(container, field));
    return kept;
  });
  return errors;
}

/** Refuses a resize of an init container with RestartContainer, a policy that stored pods may have. */
function refuseRestarts(container: JsonObject, field: Path): FieldError[] {
  return objectsAt(container, 'resizePolicy')
    .filter((policy) => stringAt(policy, 'restartPolicy') === 'RestartContainer')
    .map(() =>
      forbidden(field, 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'),
    );
}

/**
 * The container with the old amounts of cpu and memory. As in the reference, its claims are dropped, so a container
 * with claims can never be resized.
 */
function withAmountsOf(container: JsonObject, then: JsonObject | undefined): JsonObject {
  return { ...container, resources: otherAmounts(objectAt(container, 'resources'), objectAt(then, 'resources')) };
}

function otherAmounts(now: JsonObject | undefined, then: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    amountLists.map((list) => {
      const amounts = { ...objectAt(now, list) };
      for (const name of ['cpu', 'memory']) copyMember(amounts, objectAt(then, list), name);
      return [list, amounts];
    }),
  );
}
