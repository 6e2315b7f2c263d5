import { objectAt, stringAt, type KubeObject } from '../../apimachinery/object.ts';

/** The class of a claim before there was a field for it. */
export const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Name of a claim's storage class; empty for none (component-helpers/storage/volume). */
export function claimClass(claim: KubeObject): string {
  const annotation = objectAt(claim.metadata, 'annotations')?.[storageClassAnnotation];
  return typeof annotation === 'string' ? annotation : stringAt(claim, 'spec', 'storageClassName');
}
