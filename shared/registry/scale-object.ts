import type { KubeObject } from '../apimachinery/object.ts';

/** The numbers of a Scale, read from its parent. */
export interface ScaleNumbers {
  readonly wanted: number;
  readonly observed: number;
  /** A label selector's text; empty where there is none. */
  readonly selector: string;
}

/** The `autoscaling/v1` Scale that stands for a parent: its identity and version, and its numbers. */
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
