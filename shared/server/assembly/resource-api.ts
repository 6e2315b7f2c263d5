import { createResourceHandler } from '../../endpoints/create-resource-handler.ts';
import { versionsServedBy } from '../../endpoints/discovery/registered-versions.ts';
import { serveDiscovery } from '../../endpoints/discovery/serve-discovery.ts';
import type { RestResources } from '../../registry/create-rest-resources.ts';
import type { Handler } from '../../request/request-context.ts';
import { endpointSettings, type EndpointParts } from './endpoint-settings.ts';
import { openDiscovery } from './open-discovery.ts';

export interface ResourceApiParts extends EndpointParts {
  readonly resources: RestResources;
  /** As `/api` tells it; without one the server has no core group to tell it with. */
  readonly serverAddress?: string;
}

/** The API of a server whose resources never change: discovery, and every verb of every resource. */
export function resourceApi({ resources, serverAddress, ...parts }: ResourceApiParts): Handler {
  const versions = versionsServedBy(resources);
  return serveDiscovery(
    {
      handler: openDiscovery(parts.options, resources.facts),
      registered: () => versions,
      ...(serverAddress === undefined ? {} : { serverAddress }),
    },
    createResourceHandler({ ...endpointSettings(parts), resources }),
  );
}
