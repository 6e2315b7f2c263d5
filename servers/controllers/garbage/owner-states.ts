import { ApiError, metadataOnly, type ApiClient } from '#servers/controllers/client/api-client.ts';
import { objectPath } from '#servers/controllers/client/discovery.ts';
import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import type { OwnerReference } from '#shared/apimachinery/object.ts';
import { matches, nodeOf, waitsForDependents, type GraphNode, type ObjectGraph } from './object-graph.ts';
import type { ResourceTable } from './resource-table.ts';

/** Uids that are known to be gone. */
const maxGone = 10_000;

/**
 * How a reference to an owner stands: `solid`: the owner is there; `unseen`: it is there, but no watch has told it yet;
 * `waiting`: it is being deleted, and waits for its dependents; `dangling`: there is no such object.
 */
export type OwnerState = 'solid' | 'unseen' | 'waiting' | 'dangling';

/** Thrown for an object of the cluster that names an owner in a namespace: nobody can tell which one. */
export class NamespacedOwnerError extends Error {
  override readonly name = 'NamespacedOwnerError';
}

/**
 * Finds out how references stand: by the graph where it knows the owner or saw it go, otherwise by asking the server.
 */
export class OwnerStates {
  readonly #graph: ObjectGraph;
  readonly #table: ResourceTable;
  readonly #client: ApiClient;
  readonly #gone = new Set<string>();
  /** Dependents of one owner share the answer. */
  readonly #asking = new Map<string, Promise<GraphNode | undefined>>();

  constructor(graph: ObjectGraph, table: ResourceTable, client: ApiClient) {
    this.#graph = graph;
    this.#table = table;
    this.#client = client;
  }

  /** Notes that a watch told the end of an object: no other one gets its uid. */
  sawGo(uid: string): void {
    this.#gone.add(uid);
    const [oldest] = this.#gone;
    if (this.#gone.size > maxGone && oldest !== undefined) this.#gone.delete(oldest);
  }

  /** Notes that an object is there, as after a rollback. */
  saw(uid: string): void {
    this.#gone.delete(uid);
  }

  /** Forgets who is gone: a rollback may have brought it back, which watches tell only later. */
  forgetGone(): void {
    this.#gone.clear();
  }

  /**
   * @throws UnknownKindError (as a rejection) for a kind that is not served
   * @throws NamespacedOwnerError (as a rejection)
   */
  async of(reference: OwnerReference, dependent: GraphNode): Promise<OwnerState> {
    const known = this.#graph.get(reference.uid);
    if (known !== undefined && matches(reference, known, dependent))
      return waitsForDependents(known) ? 'waiting' : 'solid';
    if (known === undefined && this.#gone.has(reference.uid)) return 'dangling';
    const owner = await this.#ask(reference, dependent);
    if (owner === undefined) return 'dangling';
    if (waitsForDependents(owner)) return 'waiting';
    return this.#graph.get(reference.uid) === undefined ? 'unseen' : 'solid';
  }

  async #ask(reference: OwnerReference, dependent: GraphNode): Promise<GraphNode | undefined> {
    const resource = await this.#table.find(reference.apiVersion, reference.kind);
    if (resource.isNamespaced && dependent.namespace === '')
      throw new NamespacedOwnerError(
        `${dependent.resource.resource}/${dependent.name} belongs to no namespace, and names the owner ${reference.kind}/${reference.name}, which does`,
      );
    const path = objectPath(resource, dependent.namespace, reference.name);
    let asking = this.#asking.get(path);
    if (asking === undefined) {
      asking = this.#read(path, resource).finally(() => this.#asking.delete(path));
      this.#asking.set(path, asking);
    }
    const owner = await asking;
    return owner?.uid === reference.uid ? owner : undefined;
  }

  async #read(path: string, resource: GraphNode['resource']): Promise<GraphNode | undefined> {
    try {
      return nodeOf(resource, await this.#client.send<MetaObject>({ path, accept: metadataOnly('') }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }
}
