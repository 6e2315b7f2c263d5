import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type {
  Authorization,
  Authorizer,
  AuthorizerAttributes,
  ResolvedRules,
  RuleResolver,
} from '#shared/authorization/contract/authorizer.ts';
import { ruleAllows, type PolicyRule } from '#shared/authorization/rbac/policy-rule.ts';
import { nodeIdentity } from '#shared/objects/node-identity.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { NodeRelations } from './node-relations.ts';
import { nodeRightsTable } from './node-rights.ts';
import { nodeRules } from './node-rules.ts';

const noOpinion: Authorization = Object.freeze({ decision: 'noOpinion', reason: '' });
const allowed: Authorization = Object.freeze({ decision: 'allow', reason: '' });
const noRules: ResolvedRules = Object.freeze({
  resourceRules: [],
  nonResourceRules: [],
  incomplete: false,
  evaluationError: '',
});

/**
 * Authorizes kubelets (system:node:<name> in system:nodes) for objects of their pods and for their own objects, and for
 * everything else by the rules of the role system:node (plugin/pkg/auth/authorizer/node/node_authorizer.go).
 */
export class NodeAuthorizer implements Authorizer, RuleResolver {
  readonly #relations: NodeRelations;
  readonly #judges: ReturnType<typeof nodeRightsTable>;
  readonly #rules: readonly PolicyRule[];

  constructor(caches: ResourceCaches, gates: FeatureGates) {
    this.#relations = new NodeRelations(caches, gates);
    this.#judges = nodeRightsTable(gates);
    this.#rules = nodeRules(gates);
  }

  authorize(attributes: AuthorizerAttributes): Authorization | Promise<Authorization> {
    const node = nodeIdentity(attributes.user);
    if (node === undefined) return noOpinion;
    if (node === '') return refuse(`unknown node for user ${goQuote(attributes.user.name)}`);
    // The node will soon ask for objects that its pods use. If the relations cannot be read, the request that needs
    // them fails, not this one.
    if (!this.#relations.isReady()) this.#relations.ready().catch(() => undefined);
    const judge = attributes.resourceRequest ? this.#judges.get([attributes.apiGroup, attributes.resource]) : undefined;
    const verdict = judge?.(node, attributes) ?? 'rules';
    if (verdict === 'allowed') return allowed;
    if (verdict === 'related') return this.#relates(node, attributes) ? allowed : this.#waitAndRelate(node, attributes);
    if (verdict === 'rules') return this.#rules.some((rule) => ruleAllows(rule, attributes)) ? allowed : noOpinion;
    return refuse(verdict.refused);
  }

  rulesFor(user: UserInfo): ResolvedRules {
    return nodeIdentity(user) === undefined
      ? noRules
      : { ...noRules, incomplete: true, evaluationError: 'node authorizer does not support user rule resolution' };
  }

  close(): void {
    this.#relations.close();
  }

  #relates(node: string, { resource, namespace, name }: AuthorizerAttributes): boolean {
    return this.#relations.isReady() && this.#relations.relates(node, resource, namespace, name);
  }

  /**
   * A node may learn of its new pod before this process does: access is refused only on state that is as new as
   * storage.
   */
  async #waitAndRelate(node: string, attributes: AuthorizerAttributes): Promise<Authorization> {
    await this.#relations.ready();
    try {
      if (!this.#relates(node, attributes)) await this.#relations.current();
    } catch {
      // Storage does not answer: the relations known so far decide.
    }
    return this.#relates(node, attributes)
      ? allowed
      : refuse(`no relationship found between node '${node}' and this object`);
  }
}

function refuse(reason: string): Authorization {
  return { decision: 'noOpinion', reason };
}
