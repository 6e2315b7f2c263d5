import type { Facts, ResourceFacts } from '../../../shared/api/facts.ts';
import { relationExcerpt } from '../../../shared/authorization/node/relation-excerpts.ts';
import { createRestResources, type RestResources } from '../../../shared/registry/create-rest-resources.ts';
import type { ResourceStore } from '../../../shared/registry/resource-store.ts';
import type { ReportError } from '../../../shared/registry/store-parts.ts';
import type { Storage } from '../../../shared/storage/storage.ts';
import { definitionsResource, extensionFacts, extensionsGroup } from '../facts/extension-facts.ts';
import { definitionStrategy } from './definition-strategy.ts';
import { storedDefinition } from './stored-definition.ts';

export interface DefinitionResources {
  readonly rest: RestResources;
  readonly store: ResourceStore;
}

/** The resource `customresourcedefinitions`, and the caches of whatever else this server reads. */
export function createDefinitionResources(
  facts: Facts,
  storage: Storage,
  isServed: (resource: ResourceFacts) => boolean,
  reportError: ReportError,
): DefinitionResources {
  const rest = createRestResources({
    facts: extensionFacts(facts),
    storage,
    isServed,
    reportError,
    definitions: [
      {
        group: extensionsGroup,
        resource: definitionsResource,
        strategy: definitionStrategy,
        storedShape: storedDefinition,
        subresources: { status: { isTable: false } },
      },
    ],
    servesGroup: (group) => group === extensionsGroup,
    excerptOf: relationExcerpt,
  });
  return { rest, store: rest.store(extensionsGroup, definitionsResource) };
}
