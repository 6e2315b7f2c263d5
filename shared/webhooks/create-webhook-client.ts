import { createServiceResolver } from '#shared/services/resolve-service.ts';
import { ServiceDirectory, type ServiceObjects } from '#shared/services/service-directory.ts';
import { WebhookClient } from './webhook-client.ts';

export interface WebhookClientFlags {
  /** `--enable-aggregator-routing`: endpoints of Services are called, not cluster IPs. */
  readonly enableAggregatorRouting: boolean;
  /** The port of this cluster's own API server, for the Service `kubernetes`. */
  readonly securePort: number;
}

/** The webhook client of a process. The caches of Services are filled when the first Service is called. */
export function createWebhookClient(
  objectsOf: (group: string, resource: string) => ServiceObjects,
  { enableAggregatorRouting, securePort }: WebhookClientFlags,
): { readonly client: WebhookClient; close(): void } {
  const directory = new ServiceDirectory(
    objectsOf('', 'services'),
    objectsOf('discovery.k8s.io', 'endpointslices'),
    () => {},
  );
  const addressOf = createServiceResolver(directory, enableAggregatorRouting, () => `127.0.0.1:${securePort}`);
  const client = new WebhookClient({
    async resolve(reference) {
      await directory.ready();
      return addressOf(reference);
    },
  });
  return {
    client,
    close() {
      client.close();
      directory.close();
    },
  };
}
