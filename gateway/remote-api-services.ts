import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { EgressSelector } from '#shared/egress/egress-selector.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { createServiceResolver } from '#shared/services/resolve-service.ts';
import { ServiceDirectory } from '#shared/services/service-directory.ts';
import { apiRegistrationGroup, apiServiceSpec, availabilityOf } from './apiservices/api-service.ts';
import { AvailabilityController } from './availability/availability-controller.ts';
import { RemoteDiscovery } from './discovery/remote-discovery.ts';
import { RemoteOpenApi } from './openapi/remote-openapi.ts';
import { ClientCertificate } from './remote/client-certificate.ts';
import { forwardRemote, remoteCertificates } from './remote/forward-remote.ts';
import type { RemoteServer } from './remote/remote-server.ts';
import { RemoteServers } from './remote/remote-servers.ts';
import { sendText } from './remote/send-text.ts';

export interface RemoteApiServicesOptions {
  readonly resources: RestResources;
  readonly server: ServerOptions;
  readonly egress: EgressSelector;
  readonly logger: Logger;
  /** Called when the discovery of a registered server changed, or could no longer be read. */
  readonly onDiscovery: () => void;
  /** Whether one of our own servers serves a version of the group. */
  readonly ownsGroup: (group: string) => boolean;
}

/** Everything about API servers that users registered. Starts no caches or connections while there are none. */
export class RemoteApiServices {
  readonly discovery: RemoteDiscovery;
  readonly openApi: RemoteOpenApi;
  /** Resolves when the client certificate was read for the first time; undefined if none is configured. */
  readonly certificateRead: Promise<void> | undefined;
  readonly #directory: ServiceDirectory;
  readonly #certificate: ClientCertificate;
  readonly #servers: RemoteServers;
  readonly #availability: AvailabilityController;
  readonly #available = new Set<string>();
  #registered: readonly KubeObject[] = [];

  constructor({ resources, server: options, egress, logger, onDiscovery, ownsGroup }: RemoteApiServicesOptions) {
    this.#directory = new ServiceDirectory(
      resources.store('', 'services'),
      resources.store('discovery.k8s.io', 'endpointslices'),
      (namespace, name) => this.#serviceChanged(namespace, name),
    );
    this.#certificate = new ClientCertificate(options.proxyClientCertFile, options.proxyClientKeyFile, () =>
      this.#servers.update(this.#registered),
    );
    const resolve = createServiceResolver(
      this.#directory,
      options.enableAggregatorRouting,
      () => `127.0.0.1:${options.securePort}`,
    );
    this.#servers = new RemoteServers({
      resolve,
      certificate: this.#certificate,
      dial: egress.dialer('cluster'),
      forwardsRedirects: !options.aggregatorRejectForwardingRedirect,
      onFailure: (name) => this.#serverAway(name),
    });
    this.#availability = new AvailabilityController(
      resources.store(apiRegistrationGroup, 'apiservices'),
      this.#servers,
      this.#directory,
    );
    const usable = (name: string): RemoteServer | undefined =>
      this.#available.has(name) ? this.#servers.get(name) : undefined;
    // Discovery also reads servers that are not available: whether a group version is Stale depends only on that read.
    this.discovery = new RemoteDiscovery({ server: (name) => this.#servers.get(name), onChange: onDiscovery });
    this.openApi = new RemoteOpenApi({ server: usable, ownsGroup });
    const read = this.#certificate
      .start()
      .catch((error: unknown) => logger.error('registered API servers see no client certificate', error));
    this.certificateRead = this.#certificate.configured ? read : undefined;
  }

  /** Takes over all current APIServices, and the names of those that changed since the last call. */
  update(apiServices: readonly KubeObject[], changed: Iterable<string>): void {
    this.#registered = apiServices;
    this.#servers.update(apiServices);
    this.#available.clear();
    for (const object of apiServices) {
      const { name = '' } = object.metadata;
      if (this.#servers.get(name) !== undefined && availabilityOf(object)?.status === 'True') this.#available.add(name);
    }
    for (const name of changed) {
      this.#availability.check(name);
      if (this.#servers.get(name) === undefined && apiServices.some((object) => object.metadata.name === name))
        continue;
      this.discovery.refresh(name);
      this.openApi.refresh(name);
    }
  }

  /** Forwards a request to the server of an APIService; answers 503 while it is not available. */
  forward(context: RequestContext, name: string): void | Promise<void> {
    const server = this.#available.has(name) ? this.#servers.get(name) : undefined;
    return server === undefined ? sendText(context, 503, 'service unavailable') : forwardRemote(context, server);
  }

  metrics(): Family[] {
    return [...this.#availability.metrics.families(), ...remoteCertificates.families()];
  }

  close(): void {
    this.discovery.close();
    this.openApi.close();
    this.#availability.close();
    this.#directory.close();
    this.#certificate.close();
    this.#servers.close();
  }

  /** Checks the server's other group versions as well: they are probably unavailable, too. */
  #serverAway(name: string): void {
    const service = this.#servers.get(name)?.spec.service;
    if (service !== undefined) this.#serviceChanged(service.namespace, service.name);
  }

  #serviceChanged(namespace: string, name: string): void {
    for (const object of this.#registered) {
      const { service } = apiServiceSpec(object);
      if (service !== undefined && (name === '' || (service.namespace === namespace && service.name === name)))
        this.#availability.check(object.metadata.name ?? '');
    }
  }
}
