import type { KubeObject } from '../../../../shared/apimachinery/object.ts';

/** How a resource holds a pod or a template of pods, and what is said of it. */
export interface PodHolder {
  /** Members that lead to what has the metadata and the spec of the pod. */
  readonly steps: readonly string[];
  /** What the name of the object becomes a part of. */
  readonly namedAfter?: string;
  /** Warnings of what holds the template, before those of the template. */
  readonly holderWarnings?: (object: KubeObject) => string[];
  /**
   * Whether an update may set fields in the pod template that the old one did not have; default: whether the generation
   * has changed.
   */
  readonly isChanged?: (object: KubeObject, old: KubeObject) => boolean;
  /**
   * Warnings are given for the old template instead of the new one, as the reference does by mistake
   * (pkg/registry/core/replicationcontroller).
   */
  readonly warnsOfOld?: true;
}
