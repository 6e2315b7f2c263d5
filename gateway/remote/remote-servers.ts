import { apiServiceName, apiServiceSpec } from '#gateway/apiservices/api-service.ts';
import type { ApiServiceSpec } from '#gateway/apiservices/api-service.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { ServiceReference } from '#shared/services/resolve-service.ts';
import type { ClientCertificate } from './client-certificate.ts';
import { RemoteServer, type RemoteServerOptions } from './remote-server.ts';

export interface RemoteServersOptions extends Pick<RemoteServerOptions, 'resolve' | 'forwardsRedirects' | 'dial'> {
  readonly certificate: ClientCertificate;
  /** Called with the APIService's name when a request could not reach its server. */
  readonly onFailure: (name: string) => void;
}

/** The registered servers, one for each APIService with a Service. A server is kept while its spec stays the same. */
export class RemoteServers {
  readonly #options: RemoteServersOptions;
  readonly #servers = new Map<string, { readonly identity: string; readonly server: RemoteServer }>();

  constructor(options: RemoteServersOptions) {
    this.#options = options;
  }

  get(name: string): RemoteServer | undefined {
    return this.#servers.get(name)?.server;
  }

  /** Takes over the current APIServices; removed servers are closed once their requests have ended. */
  update(apiServices: readonly KubeObject[]): void {
    const gone = new Set(this.#servers.keys());
    for (const object of apiServices) {
      const spec = apiServiceSpec(object);
      if (!hasService(spec)) continue;
      const name = apiServiceName(spec.group, spec.version);
      gone.delete(name);
      this.#set(name, spec);
    }
    for (const name of gone) this.#remove(name);
  }

  close(): void {
    for (const name of this.#servers.keys()) this.#remove(name);
  }

  #set(name: string, spec: RemoteServer['spec']): void {
    const { certificate, onFailure, ...shared } = this.#options;
    const pair = certificate.current;
    const identity = JSON.stringify([
      spec.service,
      spec.caBundle,
      spec.insecureSkipTLSVerify,
      spec.group,
      spec.version,
      pair?.cert,
      pair?.key,
    ]);
    if (this.#servers.get(name)?.identity === identity) return;
    this.#remove(name);
    const server = new RemoteServer({
      ...shared,
      name,
      spec,
      clientCertificate: pair,
      onFailure: () => onFailure(name),
    });
    this.#servers.set(name, { identity, server });
  }

  #remove(name: string): void {
    this.#servers.get(name)?.server.close();
    this.#servers.delete(name);
  }
}

function hasService(spec: ApiServiceSpec): spec is ApiServiceSpec & { readonly service: ServiceReference } {
  return spec.service !== undefined;
}
