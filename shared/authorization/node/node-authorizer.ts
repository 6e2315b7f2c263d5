import type { ResourceCaches } from '../../registry/resource-caches.ts';
import type { Authorization, Authorizer, AuthorizerAttributes } from '../authorizer.ts';
import { ruleAllows, type PolicyRule } from '../rbac/policy-rule.ts';
import { allowed, noOpinion, refuse, unrelated } from './answers.ts';
import { judgeCertificateRequest } from './certificate-requests.ts';
import { podUses, type PodReference } from './pod-references.ts';

const nodePrefix = 'system:node:';
const nodesGroup = 'system:nodes';

/** Objects that a node may read only while a pod of its own uses them. */
const usedByPods: Readonly<Record<string, PodReference['resource']>> = {
  secrets: 'secrets', configmaps: 'configmaps', persistentvolumeclaims: 'persistentvolumeclaims',
};

export interface NodeAuthorizerParts {
  readonly caches: ResourceCaches;
  readonly nodeRules: readonly PolicyRule[];
  readonly podCertificates: boolean;
}

/**
 * Kubelets (system:node:<name> in system:nodes). First cut: secrets, config maps and claims by the pods of the node,
 * tokens by the service accounts of its pods, its own lease and CSINode; volumes, resource claims and volume
 * attachments are not restricted to the node's own yet but refused, and pods are looked up by a scan of the namespace
 * instead of the reference's graph. Everything else goes by the rules of the role system:node.
 */
export class NodeAuthorizer implements Authorizer {
  readonly #caches: ResourceCaches;
  readonly #rules: readonly PolicyRule[];
  readonly #podCertificates: boolean;

  constructor({ caches, nodeRules, podCertificates }: NodeAuthorizerParts) {
    this.#caches = caches;
    this.#rules = nodeRules;
    this.#podCertificates = podCertificates;
  }

  authorize(attributes: AuthorizerAttributes): Authorization | Promise<Authorization> {
    const { user } = attributes;
    if (!user.name.startsWith(nodePrefix) || !user.groups.includes(nodesGroup)) return noOpinion;
    const node = user.name.slice(nodePrefix.length);
    if (attributes.resourceRequest) {
      const judged = this.#judgeOwned(node, attributes);
      if (judged !== undefined) return judged;
    }
    return this.#rules.some((rule) => ruleAllows(rule, attributes)) ? allowed : noOpinion;
  }

  /** Undefined where the rules of the role decide. */
  #judgeOwned(node: string, attributes: AuthorizerAttributes): Authorization | Promise<Authorization> | undefined {
    const { apiGroup, resource, subresource, verb, name, namespace } = attributes;
    const which = `${resource}.${apiGroup}`;
    if (apiGroup === '' && usedByPods[resource] !== undefined && subresource === '') {
      if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return refuse('can only read resources of this type');
      if (name === '') return refuse('can only read resources of this type by name');
      return this.#byPods(node, namespace, { resource: usedByPods[resource], name });
    }
    if (apiGroup === '' && resource === 'serviceaccounts' && subresource === 'token' && verb === 'create') {
      return this.#byPods(node, namespace, { resource: 'serviceaccounts', name });
    }
    if (which === 'leases.coordination.k8s.io') {
      if (namespace !== 'kube-node-lease') return refuse('can only access leases in the "kube-node-lease" system namespace');
      return verb === 'create' || name === node ? undefined : refuse('can only access node lease with the same name as the requesting node');
    }
    if (which === 'csinodes.storage.k8s.io') return verb === 'create' || name === node ? undefined : refuse('can only access CSINode with the same name as the requesting node');
    if (which === 'podcertificaterequests.certificates.k8s.io') return this.#podCertificates ? judgeCertificateRequest(this.#caches, node, attributes) : noOpinion;
    const notYet = resource === 'persistentvolumes' || which === 'resourceclaims.resource.k8s.io' || which === 'volumeattachments.storage.k8s.io';
    return notYet ? refuse(unrelated(node)) : undefined;
  }

  async #byPods(node: string, namespace: string, reference: PodReference): Promise<Authorization> {
    const cache = this.#caches.cache('', 'pods');
    await cache.ready();
    await cache.waitForCurrent();
    for (const entry of cache.snapshot().entries('')) {
      if (entry.namespace !== namespace) continue;
      const pod = this.#caches.parse(entry);
      if (podUses(pod, node, reference)) return allowed;
    }
    return refuse(unrelated(node));
  }
}
