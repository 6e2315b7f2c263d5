import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import { ClaimedVolumes } from './claimed-volumes.ts';
import { BoundObjects, NodeUses, objectKey, type NodeGrant, type RelationPart } from './node-uses.ts';
import { ObjectFollower } from './object-follower.ts';
import { podReferences } from './pod-references.ts';

/**
 * Which objects are related to which node, kept current by the watch caches (plugin/pkg/auth/authorizer/node/graph.go):
 * pods are related to the objects that they use, claims to their volumes, volumes to their secrets. The watches start
 * with the first call of {@link ready}.
 */
export class NodeRelations {
  readonly #caches: ResourceCaches;
  readonly #gates: FeatureGates;
  readonly #uses = new NodeUses();
  readonly #volumes = new ClaimedVolumes();
  #followers: readonly ObjectFollower[] | undefined;

  constructor(caches: ResourceCaches, gates: FeatureGates) {
    this.#caches = caches;
    this.#gates = gates;
  }

  isReady(): boolean {
    return this.#followers?.every((follower) => follower.isReady()) ?? false;
  }

  async ready(): Promise<void> {
    this.#followers ??= this.#follow();
    await Promise.all(this.#followers.map((follower) => follower.ready()));
  }

  /**
   * Resolves when the relations include everything that was stored at the call. @throws StatusError 504 when storage
   * does not answer
   */
  async current(): Promise<void> {
    await Promise.all((this.#followers ?? []).map((follower) => follower.current()));
  }

  /**
   * Whether the object is related to the node, as far as is known. Needs one or two look-ups; for a secret that no pod
   * of the node names, one for each object that the node uses.
   */
  relates(node: string, resource: string, namespace: string, name: string): boolean {
    const key = objectKey(resource, namespace, name);
    if (this.#uses.has(node, key)) return true;
    if (resource === 'persistentvolumes') return this.#uses.has(node, this.#volumes.claimOf(key) ?? '');
    if (resource !== 'secrets') return false;
    for (const used of this.#uses.of(node))
      if (used.startsWith('persistentvolumeclaims/') && this.#volumes.needs(used, key)) return true;
    return false;
  }

  close(): void {
    for (const follower of this.#followers ?? []) follower.close();
  }

  #follow(): readonly ObjectFollower[] {
    const follow = (group: string, resource: string, part: RelationPart): ObjectFollower =>
      new ObjectFollower(this.#caches, group, resource, part);
    const bound = (group: string, resource: string): ObjectFollower =>
      follow(group, resource, new BoundObjects(this.#uses, (object) => itselfToNode(resource, object)));
    return [
      follow('', 'pods', new BoundObjects(this.#uses, podGrant)),
      follow('', 'persistentvolumes', this.#volumes),
      bound('storage.k8s.io', 'volumeattachments'),
      ...(this.#gates.isEnabled('DynamicResourceAllocation') ? [bound('resource.k8s.io', 'resourceslices')] : []),
      ...(this.#gates.isEnabled('PodCertificateRequest')
        ? [bound('certificates.k8s.io', 'podcertificaterequests')]
        : []),
    ];
  }
}

/** A pod and the objects that it uses, in any phase: a pod that has ended counts, too. */
function podGrant(pod: KubeObject): NodeGrant | undefined {
  const node = stringAt(pod, 'spec', 'nodeName');
  if (node === '') return undefined;
  const { name = '', namespace = '' } = pod.metadata;
  const used = Object.entries(podReferences(pod)).flatMap(([resource, names]: [string, readonly string[]]) =>
    names.map((one) => objectKey(resource, namespace, one)),
  );
  return { node, keys: [objectKey('pods', namespace, name), ...used] };
}

function itselfToNode(resource: string, object: KubeObject): NodeGrant | undefined {
  const node = stringAt(object, 'spec', 'nodeName');
  const { name = '', namespace = '' } = object.metadata;
  return node === '' ? undefined : { node, keys: [objectKey(resource, namespace, name)] };
}
