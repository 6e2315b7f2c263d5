import type { RegisteredVersion } from '#shared/endpoints/discovery/api-group-discovery.ts';
import { serveDiscovery } from '#shared/endpoints/discovery/serve-discovery.ts';
import type { Handler } from '#shared/request/request-context.ts';
import type { OwnApi } from '#shared/server/create-api-server.ts';
import type { CustomResources } from './custom-resources.ts';
import { extensionsGroup } from './facts/extension-facts.ts';

/** Combines the APIs of definitions and of custom resources, including the discovery of both. */
export function withCustomResources(
  { discovery, versions, resources }: OwnApi,
  customResources: CustomResources,
): Handler {
  let made: { readonly custom: readonly RegisteredVersion[]; readonly all: readonly RegisteredVersion[] } | undefined;
  const registered = (): readonly RegisteredVersion[] => {
    const custom = customResources.registered();
    if (made?.custom !== custom) made = { custom, all: [...versions, ...custom] };
    return made.all;
  };
  return serveDiscovery({ handler: discovery, registered }, (context) =>
    context.info.apiGroup === extensionsGroup ? resources(context) : customResources.handler(context),
  );
}
