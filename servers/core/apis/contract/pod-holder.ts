import type { KubeObject } from '#shared/apimachinery/object.ts';

/** Where a resource holds a pod or a pod template, and which warnings it gets. */
export interface PodHolder {
  /** Path to the member that contains the metadata and the spec of the pod. */
  readonly steps: readonly string[];
  /** What the object's name is used for, as the warning about the name puts it. */
  readonly namedAfter?: string;
  /** Warnings about the rest of the object; they come before those about the template. */
  readonly holderWarnings?: (object: KubeObject) => string[];
  /** Whether an update gets the warnings about the pod template; default: whether the generation has changed. */
  readonly isChanged?: (object: KubeObject, old: KubeObject) => boolean;
  /**
   * Updates get the warnings about the old template instead of the new one, as the reference does by mistake
   * (pkg/registry/core/replicationcontroller).
   */
  readonly warnsOfOld?: true;
}
