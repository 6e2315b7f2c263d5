import { JsonProjection } from '../../apimachinery/json-projection.ts';

// What the printers of several kinds read of an object.

export const shownMetadata = { name: 'all', creationTimestamp: 'all', deletionTimestamp: 'all' } as const;

export const shownTemplate = { spec: { containers: { name: 'all', image: 'all' }, nodeSelector: 'all' } } as const;

/** The fields that rows show of kinds with replicas of one template. */
export const shownWorkload = new JsonProjection({
  metadata: shownMetadata,
  spec: { replicas: 'all', selector: 'all', template: shownTemplate },
  status: 'all',
});
