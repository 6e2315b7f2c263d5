import { ClusterIPs } from '#servers/core/allocation/cluster-ips.ts';
import { NodePorts } from '#servers/core/allocation/node-ports.ts';
import { rangeCodec } from '#servers/core/allocation/range-codec.ts';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { createRestResources } from '#shared/registry/create-rest-resources.ts';
import type { ResourceDefinition } from '#shared/registry/define-resource.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';

/** This server's stores over memory storage, without the rules of their resources, and the allocators of Services. */
export class CoreInMemory {
  readonly storage = new MemoryStorage();
  readonly core: CoreContext;
  readonly clusterIPs: ClusterIPs;
  readonly nodePorts: NodePorts;
  /** `reason name` of each warning. */
  readonly warnings: string[] = [];
  readonly recorder = {
    warn: async (object: KubeObject, { reason }: { readonly reason: string }) =>
      void this.warnings.push(`${reason} ${object.metadata.name ?? ''}`),
  };
  readonly #close: () => void;

  /** @param definitions resources that do have their rules */
  constructor(definitions: readonly ResourceDefinition[] = []) {
    const facts = loadFacts();
    const resources = createRestResources({ facts, storage: this.storage, definitions, servesGroup: () => true });
    this.core = {
      storage: this.storage,
      caches: resources.caches,
      store: (group, resource) => resources.store(group, resource),
      setDefaults: () => {},
    };
    this.clusterIPs = new ClusterIPs(this.core, ['10.0.0.0/24']);
    this.nodePorts = new NodePorts(this.storage, rangeCodec(facts), { first: 30_000, last: 32_767 });
    this.#close = () => resources.caches.close();
  }

  async addService(name: string, spec: JsonObject): Promise<KubeObject> {
    const store = this.core.store('', 'services');
    const { entry } = await store.create(
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace: 'default' },
        spec: { type: 'ClusterIP', ...spec },
      },
      systemContext({ namespace: 'default' }),
    );
    return store.parse(entry);
  }

  /** Names of the existing IPAddresses. */
  async addresses(): Promise<string[]> {
    const { cache } = this.core.store('networking.k8s.io', 'ipaddresses');
    await cache.waitForCurrent();
    return [...cache.snapshot().entries('/')].map(({ name }) => name);
  }

  close(): void {
    this.#close();
  }
}
