import type { KubeObject } from '#shared/apimachinery/object.ts';

/** One object that a node may read, and the number of objects that grant this. */
interface Use {
  readonly key: string;
  count: number;
}

/** The objects that each node may read, by {@link objectKey}. */
export class NodeUses {
  readonly #byNode = new Map<string, Map<string, Use>>();

  has(node: string, key: string): boolean {
    return this.#byNode.get(node)?.has(key) ?? false;
  }

  of(node: string): Iterable<string> {
    return this.#byNode.get(node)?.keys() ?? [];
  }

  add(node: string, key: string): Use {
    let uses = this.#byNode.get(node);
    if (uses === undefined) this.#byNode.set(node, (uses = new Map()));
    let use = uses.get(key);
    if (use === undefined) uses.set(key, (use = { key, count: 0 }));
    use.count += 1;
    return use;
  }

  drop(node: string, use: Use): void {
    use.count -= 1;
    const uses = this.#byNode.get(node);
    if (use.count > 0 || uses === undefined) return;
    uses.delete(use.key);
    if (uses.size === 0) this.#byNode.delete(node);
  }
}

/**
 * Cluster-scoped objects have the namespace ''. `resource` is one of the followed resources, but namespace and name may
 * be any text from a pod or a review, so the length of the namespace precedes it.
 */
export function objectKey(resource: string, namespace: string, name: string): string {
  return `${resource}/${namespace.length}:${namespace}${name}`;
}

/** Objects that a node may read because of another object. */
export interface NodeGrant {
  readonly node: string;
  readonly keys: readonly string[];
}

/** Receives the objects of one resource; `key` is the storage key of the object. */
export interface RelationPart {
  put(key: string, object: KubeObject): void;
  remove(key: string): void;
  keys(): Iterable<string>;
}

/**
 * Keeps the grants of objects that are bound to a node. `grantOf` returns undefined for an object that is not bound
 * (yet).
 */
export class BoundObjects implements RelationPart {
  readonly #uses: NodeUses;
  readonly #grantOf: (object: KubeObject) => NodeGrant | undefined;
  readonly #held = new Map<string, { readonly node: string; readonly uses: readonly Use[] }>();

  constructor(uses: NodeUses, grantOf: (object: KubeObject) => NodeGrant | undefined) {
    this.#uses = uses;
    this.#grantOf = grantOf;
  }

  put(key: string, object: KubeObject): void {
    const grant = this.#grantOf(object);
    // The new uses are added before the old ones are removed, so that uses in both are not dropped and created again.
    const uses = grant?.keys.map((one) => this.#uses.add(grant.node, one));
    this.remove(key);
    if (grant !== undefined && uses !== undefined) this.#held.set(key, { node: grant.node, uses });
  }

  remove(key: string): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    for (const use of held.uses) this.#uses.drop(held.node, use);
  }

  keys(): Iterable<string> {
    return this.#held.keys();
  }
}
