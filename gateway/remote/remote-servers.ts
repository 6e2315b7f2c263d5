import { apiServiceName, apiServiceSpec } from '#gateway/apiservices/api-service.ts';
import type { ApiServiceSpec } from '#gateway/apiservices/api-service.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { ServiceReference, ServiceResolver } from '#shared/services/resolve-service.ts';
import type { ClientCertificate } from './client-certificate.ts';
import { RemoteServer } from './remote-server.ts';

/** The registered servers, one for each APIService with a Service. A server is kept while its spec stays the same. */
export class RemoteServers {
  readonly #resolve: ServiceResolver;
  readonly #certificate: ClientCertificate;
  readonly #onFailure: (name: string) => void;
  readonly #servers = new Map<string, { readonly identity: string; readonly server: RemoteServer }>();

  /** `onFailure` is called with the APIService's name when a request could not reach its server. */
  constructor(resolve: ServiceResolver, certificate: ClientCertificate, onFailure: (name: string) => void) {
    this.#resolve = resolve;
    this.#certificate = certificate;
    this.#onFailure = onFailure;
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
    const pair = this.#certificate.current;
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
      name,
      spec,
      resolve: this.#resolve,
      clientCertificate: pair,
      onFailure: () => this.#onFailure(name),
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
