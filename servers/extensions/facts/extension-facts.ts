import type { Facts } from '#shared/api/facts.ts';
import { mapFacts } from '#shared/api/map-facts.ts';

export const extensionsGroup = 'apiextensions.k8s.io';
export const definitionsResource = 'customresourcedefinitions';
/** The version in which this server holds definitions in memory, whatever their form in etcd. */
const heldVersion = `${extensionsGroup}/v1`;

/**
 * Returns the facts with v1 as the storage version of definitions. The reference stores them as v1beta1, a version that
 * is no longer served; they are converted to it only when they are written to etcd (see `crds/stored-definition.ts`).
 */
export function extensionFacts(facts: Facts): Facts {
  return mapFacts(facts, (resource) =>
    resource.group === extensionsGroup && resource.storageVersion !== ''
      ? { ...resource, storageVersion: heldVersion }
      : resource,
  );
}
