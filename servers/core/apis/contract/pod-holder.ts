import type { KubeObject } from '../../../../shared/apimachinery/object.ts';

/** How a resource holds a pod or a template of pods, and what is said of it. */
export interface PodHolder {
  /** Members that lead to what has the metadata and the spec of the pod. */
  readonly steps: readonly string[];
  /** What the name of the object becomes a part of. */
  readonly namedAfter?: string;
  /** Warnings of what holds the template, before those of the template. */
  readonly holderWarnings?: (object: KubeObject) => string[];
  /** Whether the template of an update may say what the old one did not; default: the generation has changed. */
  readonly isChanged?: (object: KubeObject, old: KubeObject) => boolean;
  /**
   * The old template is looked at in place of the new one, a slip of the reference
   * (pkg/registry/core/replicationcontroller).
   */
  readonly warnsOfOld?: true;
}
