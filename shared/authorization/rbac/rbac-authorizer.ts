import { aggregateMessages } from '../../apimachinery/field-error.ts';
import { TupleMap } from '../../apimachinery/tuple-map.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Authorization, Authorizer, AuthorizerAttributes, ResolvedRules, RuleResolver } from '../authorizer.ts';
import { ruleAllows } from './policy-rule.ts';
import type { Grant, RbacPolicy } from './rbac-policy.ts';

/** Answers to keep per user before all are dropped. */
const maxAnswers = 2000;
/** Questions of reviews may be megabytes long: those are answered, not kept. */
const maxKeptCharacters = 2048;

/** What was found out for one user object since the policy last changed. */
interface Memory {
  readonly generation: number;
  readonly grants: Map<string, Grant[]>;
  /** By verb, group, resource, subresource, namespace and name: all of what {@link ruleAllows} looks at. */
  readonly ofResources: TupleMap<Authorization>;
  /** By verb and path. */
  readonly ofPaths: TupleMap<Authorization>;
}

/**
 * Role-based access control. Answers are remembered by user object until any role or binding changes; authenticators
 * hand out the same object for the same credential.
 */
export class RbacAuthorizer implements Authorizer, RuleResolver {
  readonly #policy: RbacPolicy;
  readonly #memories = new WeakMap<UserInfo, Memory>();

  constructor(policy: RbacPolicy) {
    this.#policy = policy;
  }

  authorize(attributes: AuthorizerAttributes): Authorization | Promise<Authorization> {
    if (!this.#policy.isReady()) return this.#policy.ready().then(() => this.#authorize(attributes));
    return this.#authorize(attributes);
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<ResolvedRules> {
    await this.#policy.ready();
    const grants = this.#policy.grants(user, namespace);
    const rules = grants.flatMap((grant) => grant.rules);
    return {
      resourceRules: rules.filter((rule) => rule.resources.length > 0),
      nonResourceRules: rules.filter((rule) => rule.nonResourceURLs.length > 0),
      incomplete: false,
      evaluationError: aggregateMessages(grants.flatMap((grant) => (grant.error === '' ? [] : [grant.error]))),
    };
  }

  #authorize(attributes: AuthorizerAttributes): Authorization {
    const memory = this.#memoryOf(attributes.user);
    const { verb, apiGroup, resource, subresource, namespace, name, path } = attributes;
    const [answers, key] = attributes.resourceRequest
      ? [memory.ofResources, [verb, apiGroup, resource, subresource, namespace, name]]
      : [memory.ofPaths, [verb, path]];
    const known = answers.get(key);
    if (known) return known;
    if (lengthOf(key) > maxKeptCharacters) return decide(this.#policy.grants(attributes.user, namespace), attributes);
    const answer = decide(this.#grantsOf(memory, attributes.user, namespace), attributes);
    if (answers.size >= maxAnswers) answers.clear();
    answers.set(key, answer);
    return answer;
  }

  #memoryOf(user: UserInfo): Memory {
    const { generation } = this.#policy;
    let memory = this.#memories.get(user);
    if (memory?.generation !== generation) {
      memory = { generation, grants: new Map(), ofResources: new TupleMap(6), ofPaths: new TupleMap(2) };
      this.#memories.set(user, memory);
    }
    return memory;
  }

  #grantsOf(memory: Memory, user: UserInfo, namespace: string): Grant[] {
    let grants = memory.grants.get(namespace);
    if (!grants) {
      if (memory.grants.size >= maxAnswers) memory.grants.clear();
      memory.grants.set(namespace, (grants = this.#policy.grants(user, namespace)));
    }
    return grants;
  }
}

function lengthOf(texts: readonly string[]): number {
  let total = 0;
  for (const text of texts) total += text.length;
  return total;
}

function decide(grants: readonly Grant[], attributes: AuthorizerAttributes): Authorization {
  const errors: string[] = [];
  for (const grant of grants) {
    if (grant.error !== '') errors.push(grant.error);
    else if (grant.rules.some((rule) => ruleAllows(rule, attributes))) return { decision: 'allow', reason: `RBAC: allowed by ${grant.source}` };
  }
  return { decision: 'noOpinion', reason: errors.length === 0 ? '' : `RBAC: ${aggregateMessages(errors)}` };
}
