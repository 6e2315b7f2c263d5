import type { KubeObject } from '#shared/apimachinery/object.ts';

/** The numbers of a Scale, read from its parent. */
export interface ScaleNumbers {
  readonly wanted: number;
  readonly observed: number;
  /** The text of the label selector; empty if there is none. */
  readonly selector: string;
}

/** The `autoscaling/v1` Scale of a parent, with the identity and resourceVersion of the parent. */
export function scaleObject(parent: KubeObject, numbers: ScaleNumbers): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: { replicas: numbers.wanted },
    status: { replicas: numbers.observed, ...(numbers.selector === '' ? {} : { selector: numbers.selector }) },
  };
}
