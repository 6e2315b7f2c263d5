import { definitionsResource, extensionFacts, extensionsGroup } from '#servers/extensions/facts/extension-facts.ts';
import { relationExcerpt } from '#shared/authorization/node/relation-excerpts.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import { openResources } from '#shared/server/assembly/open-resources.ts';
import { effectiveVersion } from '#shared/server/options/effective-version.ts';
import { definitionStrategy } from './definition-strategy.ts';
import { storedDefinition } from './stored-definition.ts';

export interface DefinitionResources {
  readonly rest: RestResources;
  readonly store: ResourceStore;
}

/** The resource `customresourcedefinitions`, and the caches of the other resources that this server reads. */
export function createDefinitionResources(dependencies: ServerDependencies): DefinitionResources {
  const rest = openResources(
    { ...dependencies, facts: extensionFacts(dependencies.facts) },
    {
      definitions: [
        {
          group: extensionsGroup,
          resource: definitionsResource,
          strategy: definitionStrategy(effectiveVersion(dependencies.options).minCompatibility),
          storedShape: storedDefinition,
          subresources: { status: { isTable: false } },
        },
      ],
      servesGroup: (group) => group === extensionsGroup,
      excerptOf: relationExcerpt,
    },
  );
  return { rest, store: rest.store(extensionsGroup, definitionsResource) };
}
