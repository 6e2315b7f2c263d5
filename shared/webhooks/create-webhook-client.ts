import { createServiceResolver, joinAddress, type ServiceAddress } from '#shared/services/resolve-service.ts';
import { ServiceDirectory, type ServiceObjects } from '#shared/services/service-directory.ts';
import { OwnServer, type DistantGateways, type OwnServerOptions } from './own-server.ts';
import { WebhookClient } from './webhook-client.ts';

export interface CreateWebhookClientOptions {
  readonly objectsOf: (group: string, resource: string) => ServiceObjects;
  /** `--enable-aggregator-routing`: endpoints of Services are called, not cluster IPs. */
  readonly enableAggregatorRouting: boolean;
  readonly ownServer: Omit<OwnServerOptions, 'distant'> & { readonly distant: Omit<DistantGateways, 'addresses'> };
}

/** The webhook client of a process. The caches of Services are filled when the first Service is called. */
export function createWebhookClient({ objectsOf, enableAggregatorRouting, ownServer }: CreateWebhookClientOptions): {
  readonly client: WebhookClient;
  close(): void;
} {
  const directory = new ServiceDirectory(
    objectsOf('', 'services'),
    objectsOf('discovery.k8s.io', 'endpointslices'),
    () => {},
  );
  const addressOf = createServiceResolver(directory, enableAggregatorRouting);
  const client = new WebhookClient({
    async resolve(reference) {
      await directory.ready();
      return addressOf(reference);
    },
    ownServer: new OwnServer({
      ...ownServer,
      distant: { ...ownServer.distant, addresses: () => gatewayAddresses(directory) },
    }),
  });
  return {
    client,
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
