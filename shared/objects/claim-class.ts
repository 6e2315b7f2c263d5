import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';

/** The annotation that named a claim's storage class before the field `storageClassName` existed. */
export const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Name of a claim's storage class; empty for none (component-helpers/storage/volume). */
export function claimClass(claim: KubeObject): string {
  const annotation = objectAt(claim.metadata, 'annotations')?.[storageClassAnnotation];
  return typeof annotation === 'string' ? annotation : stringAt(claim, 'spec', 'storageClassName');
}
