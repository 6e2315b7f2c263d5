import { randomUUID } from 'node:crypto';
import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import type { OwnerReference } from '#shared/apimachinery/object.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { GraphNode } from './object-graph.ts';

/** Events that are remembered as told. */
const maxTold = 1_000;

/** Tells by an event that an object names an owner of another namespace, once for each object and owner. */
export class InvalidOwnerEvents {
  readonly #client: ApiClient;
  readonly #told = new Set<string>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async tell({ resource, namespace, name, uid }: GraphNode, owner: OwnerReference): Promise<void> {
    const key = `${uid} ${owner.uid}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const [oldest] = this.#told;
    if (this.#told.size > maxTold && oldest !== undefined) this.#told.delete(oldest);
    const now = timeFromMs(objectNowMs());
    const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
    const home = namespace === '' ? 'default' : namespace;
    await this.#client.send({
      method: 'POST',
      path: `/api/v1/namespaces/${encodeURIComponent(home)}/events`,
      body: {
        kind: 'Event',
        apiVersion: 'v1',
        metadata: { name: `${name.slice(0, 200)}.${randomUUID()}`, namespace: home },
        involvedObject: { kind: resource.kind, apiVersion, namespace, name, uid },
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef [${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}] does not exist in namespace "${namespace}"`,
        source: { component: 'garbage-collector-controller' },
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      },
    });
  }
}
