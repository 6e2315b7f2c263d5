import {
  createServiceResolver,
  joinAddress,
  type ServiceAddress,
  type ServiceReference,
} from '#shared/services/resolve-service.ts';
import { ServiceDirectory, type ServiceObjects } from '#shared/services/service-directory.ts';
import { OwnApiClient } from './own-api-client.ts';
import { OwnServer, type DistantGateways, type OwnServerOptions } from './own-server.ts';
import { WebhookAgents, type WebhookEgress } from './webhook-agents.ts';
import { WebhookClient } from './webhook-client.ts';

export interface CreateWebhookClientOptions {
  readonly objectsOf: (group: string, resource: string) => ServiceObjects;
  /** `--enable-aggregator-routing`: endpoints of Services are called, not cluster IPs. */
  readonly enableAggregatorRouting: boolean;
  /** How webhooks are reached. Default: directly. */
  readonly egress?: WebhookEgress;
  readonly ownServer: Omit<OwnServerOptions, 'distant'> & { readonly distant: Omit<DistantGateways, 'addresses'> };
}

/** The webhook client of a process. The caches of Services are filled when the first Service is called. */
export function createWebhookClient({
  objectsOf,
  enableAggregatorRouting,
  egress,
  ownServer,
}: CreateWebhookClientOptions): {
  readonly client: WebhookClient;
  /** The cluster's own API, by the connections with which its webhooks are called. */
  readonly api: OwnApiClient;
  close(): void;
} {
  const directory = new ServiceDirectory(
    objectsOf('', 'services'),
    objectsOf('discovery.k8s.io', 'endpointslices'),
    () => {},
  );
  const addressOf = createServiceResolver(directory, enableAggregatorRouting);
  const own = new OwnServer({
    ...ownServer,
    distant: { ...ownServer.distant, addresses: () => gatewayAddresses(directory) },
  });
  const resolve = async (reference: ServiceReference): Promise<ServiceAddress> => {
    await directory.ready();
    return addressOf(reference);
  };
  const client = new WebhookClient({ resolve, ownServer: own }, new WebhookAgents(egress));
  return {
    client,
    api: new OwnApiClient(own),
    close() {
      client.close();
      directory.close();
    },
  };
}

/** The gateways write their addresses to the endpoints of the Service `kubernetes`. */
async function gatewayAddresses(directory: ServiceDirectory): Promise<ServiceAddress[]> {
  await directory.ready();
  return directory
    .endpointSlices('default', 'kubernetes')
    .flatMap(({ ports, ready }) => ports.flatMap(({ port }) => ready.map((host) => joinAddress(host, port))));
}
