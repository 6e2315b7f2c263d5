import { objectAt, stringAt, type KubeObject } from '../../apimachinery/object.ts';
import { storageClassAnnotation } from './default-storage-class.ts';

/** Name of a claim's storage class; empty for none (component-helpers/storage/volume). */
export function claimClass(claim: KubeObject): string {
  const annotation = objectAt(claim.metadata, 'annotations')?.[storageClassAnnotation];
  return typeof annotation === 'string' ? annotation : stringAt(claim, 'spec', 'storageClassName');
}
