import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type ObjectMeta } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { allContainers } from '#shared/objects/pod-spec.ts';

/** A violation of a level by a pod. */
export interface PolicyViolation {
  readonly reason: string;
  readonly detail: string;
}

/** Checks the metadata and the spec of a pod or a pod template. */
export type PodCheck = (spec: JsonObject, metadata: ObjectMeta) => PolicyViolation | undefined;

/** Prints names as `"a", "b"`; without escapes, as in the reference. */
export function quoted(items: Iterable<string>): string {
  return `"${[...items].join('", "')}"`;
}

export function sorted(items: ReadonlySet<string>): string[] {
  return [...items].sort(compareUtf8);
}

/** `container "a"`, `containers "a", "b"`. */
export function countedNames(what: string, items: readonly string[]): string {
  return `${plural(what, items.length)} ${quoted(items)}`;
}

export function plural(what: string, count: number): string {
  return count === 1 ? what : `${what}s`;
}

export function containerName(container: JsonObject): string {
  return stringAt(container, 'name');
}

/** Names of the containers for which `holds` returns true. */
export function containersWhere(spec: JsonObject, holds: (container: JsonObject) => boolean): string[] {
  return allContainers(spec)
    .filter((container) => holds(container))
    .map((container) => containerName(container));
}

/** Names of the containers for whose `securityContext` (empty if absent) `holds` returns true. */
export function containersWhoseContext(spec: JsonObject, holds: (securityContext: JsonObject) => boolean): string[] {
  return containersWhere(spec, (container) => holds(objectAt(container, 'securityContext') ?? {}));
}

/** Names the pod and the containers that set a field: `pod and containers "a", "b"`; undefined for none. */
export function settersOf(pod: boolean, containers: readonly string[]): string | undefined {
  if (containers.length === 0) return pod ? 'pod' : undefined;
  return `${pod ? 'pod and ' : ''}${countedNames('container', containers)}`;
}

/** Skips the check for Windows pods, to which it does not apply. */
export function exceptOnWindows(check: PodCheck): PodCheck {
  return (spec, metadata) => (stringAt(spec, 'os', 'name') === 'windows' ? undefined : check(spec, metadata));
}

/** Skips the check for pods with their own user namespace, whose root has no privileges on the host. */
export function exceptInUserNamespaces(check: PodCheck): PodCheck {
  return (spec, metadata) => (spec['hostUsers'] === false ? undefined : check(spec, metadata));
}
