import { ApiError, metadataOnly, type ApiClient } from '#servers/controllers/client/api-client.ts';
import { objectPath } from '#servers/controllers/client/discovery.ts';
import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import type { Turn } from '#servers/controllers/work/turns.ts';
import type { OwnerReference } from '#shared/apimachinery/object.ts';
import { nodeOf, type GraphNode } from './object-graph.ts';

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

/**
 * Writes of the garbage collector. Each is for one version of one object, and fails with 409 if there is a newer one:
 * what was decided by that version may be wrong by now.
 */
export class ObjectWrites {
  readonly #client: ApiClient;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async delete(turn: Turn, node: GraphNode, propagationPolicy: PropagationPolicy): Promise<void> {
    const { uid, resourceVersion } = node;
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy,
      preconditions: { uid, resourceVersion },
    };
    await this.#send(turn, node, { method: 'DELETE', body });
  }

  /** @returns the node as it is then; undefined if it is gone */
  async setOwners(turn: Turn, node: GraphNode, owners: readonly OwnerReference[]): Promise<GraphNode | undefined> {
    return await this.#patch(turn, node, { ownerReferences: owners.length === 0 ? null : owners });
  }

  async setFinalizers(turn: Turn, node: GraphNode, finalizers: readonly string[]): Promise<void> {
    await this.#patch(turn, node, { finalizers: finalizers.length === 0 ? null : finalizers });
  }

  async #patch(turn: Turn, node: GraphNode, change: object): Promise<GraphNode | undefined> {
    const { uid, resourceVersion } = node;
    const body = { metadata: { uid, resourceVersion, ...change } };
    const object = await this.#send(turn, node, { method: 'PATCH', body, contentType: 'application/merge-patch+json' });
    return object && nodeOf(node.resource, object);
  }

  async #send(
    turn: Turn,
    node: GraphNode,
    request: { readonly method: 'DELETE' | 'PATCH'; readonly body: object; readonly contentType?: string },
  ): Promise<MetaObject | undefined> {
    const path = objectPath(node.resource, node.namespace, node.name);
    try {
      return await turn.write(() => this.#client.send<MetaObject>({ ...request, path, accept: metadataOnly('') }));
    } catch (error) {
      // A watch tells it, too.
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }
}
