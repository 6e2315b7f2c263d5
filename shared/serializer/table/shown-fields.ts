import { JsonProjection } from '#shared/apimachinery/json/json-projection.ts';

// Fields of an object that the printers of several kinds read.

export const shownMetadata = { name: 'all', creationTimestamp: 'all', deletionTimestamp: 'all' } as const;

export const shownTemplate = { spec: { containers: { name: 'all', image: 'all' }, nodeSelector: 'all' } } as const;

/** The fields in rows of kinds with replicas of one template. */
export const shownWorkload = new JsonProjection({
  metadata: shownMetadata,
  spec: { replicas: 'all', selector: 'all', template: shownTemplate },
  status: 'all',
});
