import { groupOf, type ApiResource } from '#servers/controllers/client/discovery.ts';
import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import type { OwnerReference } from '#shared/apimachinery/object.ts';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

/** An object, as far as owners and dependents concern it. */
export interface GraphNode {
  readonly resource: ApiResource;
  /** Empty for an object of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly isDeleting: boolean;
}

const none: readonly never[] = [];

export function nodeOf(resource: ApiResource, { metadata }: MetaObject): GraphNode {
  const { namespace = '', name, uid, resourceVersion, ownerReferences, finalizers, deletionTimestamp } = metadata;
  return {
    resource,
    namespace,
    name,
    uid,
    resourceVersion,
    owners: ownerReferences ?? none,
    finalizers: finalizers ?? none,
    isDeleting: deletionTimestamp !== undefined,
  };
}

/** Whether the object is deleted and stays until its dependents that block it are gone. */
export function waitsForDependents(node: GraphNode): boolean {
  return node.isDeleting && node.finalizers.includes(foregroundFinalizer);
}

/** Whether the object is deleted and stays until its dependents do not name it any more. */
export function waitsForOrphans(node: GraphNode): boolean {
  return node.isDeleting && node.finalizers.includes(orphanFinalizer);
}

/** Whether a reference names the node that has its uid by the right kind, name and namespace, too. */
export function matches(reference: OwnerReference, owner: GraphNode, dependent: GraphNode): boolean {
  return (
    reference.kind === owner.resource.kind &&
    reference.name === owner.name &&
    groupOf(reference.apiVersion) === owner.resource.group &&
    (owner.namespace === '' || owner.namespace === dependent.namespace)
  );
}

/** References that kept a waiting owner before, and do not any more. */
export function unblockedOwners(before: GraphNode | undefined, after: GraphNode): readonly string[] {
  return (before?.owners ?? none)
    .filter((reference) => blocks(reference))
    .map(({ uid }) => uid)
    .filter((uid) => !after.owners.some((reference) => reference.uid === uid && blocks(reference)));
}

export function blocks({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}

/** The objects that were seen, by uid, and who names whom as an owner. */
export class ObjectGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** By uid of an owner, seen or not, the uids of its dependents. */
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** @returns the node before */
  set(node: GraphNode): GraphNode | undefined {
    const before = this.#nodes.get(node.uid);
    if (before !== undefined) this.#unlink(before);
    this.#nodes.set(node.uid, node);
    for (const { uid } of node.owners) {
      const dependents = this.#dependents.get(uid);
      if (dependents === undefined) this.#dependents.set(uid, new Set([node.uid]));
      else dependents.add(node.uid);
    }
    return before;
  }

  remove(uid: string): GraphNode | undefined {
    const node = this.#nodes.get(uid);
    if (node === undefined) return undefined;
    this.#unlink(node);
    this.#nodes.delete(uid);
    return node;
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    const found: GraphNode[] = [];
    for (const dependent of this.#dependents.get(uid) ?? none) {
      const node = this.#nodes.get(dependent);
      if (node !== undefined) found.push(node);
    }
    return found;
  }

  #unlink({ uid, owners }: GraphNode): void {
    for (const owner of owners) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}
