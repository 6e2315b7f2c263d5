import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import type {
  Authorization,
  Authorizer,
  AuthorizerAttributes,
  ResolvedRules,
  RuleResolver,
} from '#shared/authorization/contract/authorizer.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { RbacPolicy } from './rbac-policy.ts';
import { UserGrants } from './user-grants.ts';

/** How many answers are kept per user; when there are more, all are dropped. */
const maxAnswers = 2000;
/** The questions of access reviews may be megabytes long: answers to longer questions are not kept. */
const maxKeptCharacters = 2048;

/** Cached answers for one user object in one namespace since the policy there last changed. */
interface Memory {
  readonly generation: number;
  grants: UserGrants | undefined;
  /** By verb, group, resource, subresource, namespace and name: everything that a decision depends on. */
  readonly ofResources: TupleMap<Authorization>;
  /** By verb and path. */
  readonly ofPaths: TupleMap<Authorization>;
}

/** Cached answers for one user object. */
interface UserMemory {
  readonly byNamespace: Map<string, Memory>;
  /** Counts the answers and namespaces that were added, including those that were dropped since. */
  answers: number;
}

/**
 * Role-based access control. Answers are cached by user object and namespace until a role or binding of the namespace
 * or of the cluster changes; authenticators return the same object for the same credential.
 */
export class RbacAuthorizer implements Authorizer, RuleResolver {
  readonly #policy: RbacPolicy;
  readonly #memories = new WeakMap<UserInfo, UserMemory>();

  constructor(policy: RbacPolicy) {
    this.#policy = policy;
  }

  authorize(attributes: AuthorizerAttributes): Authorization | Promise<Authorization> {
    if (!this.#policy.isReady()) return this.#policy.ready().then(() => this.#authorize(attributes));
    return this.#authorize(attributes);
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<ResolvedRules> {
    await this.#policy.ready();
    return this.#grantsIn(this.#memoryOf(this.#keptFor(user), namespace), user, namespace).resolved();
  }

  #authorize(attributes: AuthorizerAttributes): Authorization {
    const { user, verb, apiGroup, resource, subresource, namespace, name, path } = attributes;
    const kept = this.#keptFor(user);
    const memory = this.#memoryOf(kept, namespace);
    const [answers, key] = attributes.resourceRequest
      ? [memory.ofResources, [verb, apiGroup, resource, subresource, namespace, name]]
      : [memory.ofPaths, [verb, path]];
    const known = answers.get(key);
    if (known) return known;
    const answer = this.#grantsIn(memory, user, namespace).decide(attributes);
    if (lengthOf(key) > maxKeptCharacters) return answer;
    answers.set(key, answer);
    kept.answers++;
    return answer;
  }

  #grantsIn(memory: Memory, user: UserInfo, namespace: string): UserGrants {
    return (memory.grants ??= new UserGrants(this.#policy.grants(user, namespace)));
  }

  #keptFor(user: UserInfo): UserMemory {
    let kept = this.#memories.get(user);
    if (kept === undefined) this.#memories.set(user, (kept = { byNamespace: new Map(), answers: 0 }));
    if (kept.answers >= maxAnswers) {
      kept.byNamespace.clear();
      kept.answers = 0;
    }
    return kept;
  }

  #memoryOf(kept: UserMemory, namespace: string): Memory {
    const { byNamespace } = kept;
    const generation = this.#policy.generation(namespace);
    let memory = byNamespace.get(namespace);
    if (memory?.generation !== generation) {
      memory = { generation, grants: undefined, ofResources: new TupleMap(6), ofPaths: new TupleMap(2) };
      // Clients choose the namespace, which may be of any length: long ones are not kept.
      if (namespace.length <= maxKeptCharacters) byNamespace.set(namespace, memory);
      kept.answers++;
    }
    return memory;
  }
}

function lengthOf(texts: readonly string[]): number {
  let total = 0;
  for (const text of texts) total += text.length;
  return total;
}
