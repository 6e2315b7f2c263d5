import type { Facts } from '../../../shared/api/facts.ts';
import { mapFacts } from '../../../shared/api/map-facts.ts';

export const extensionsGroup = 'apiextensions.k8s.io';
export const definitionsResource = 'customresourcedefinitions';
/** In which this server holds definitions, whatever form they have in etcd. */
const heldVersion = `${extensionsGroup}/v1`;

/**
 * The facts with definitions held in v1: the reference stores them as v1beta1, a form that is served no more and that
 * is made only for etcd (see `crds/stored-definition.ts`).
 */
export function extensionFacts(facts: Facts): Facts {
  return mapFacts(facts, (resource) =>
    resource.group === extensionsGroup && resource.storageVersion !== ''
      ? { ...resource, storageVersion: heldVersion }
      : resource,
  );
}
