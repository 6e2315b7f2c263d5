import type {
  Authorization,
  Authorizer,
  AuthorizerAttributes,
  ResolvedRules,
  RuleResolver,
} from '#shared/authorization/contract/authorizer.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { AbacPolicy } from './abac-policy.ts';

const allowed: Authorization = Object.freeze({ decision: 'allow', reason: '' });
const noPolicy: Authorization = Object.freeze({ decision: 'noOpinion', reason: 'No policy matched.' });
const readVerbs: readonly string[] = ['get', 'list', 'watch'];

/** Attribute-based access control: allows what one policy of a file allows. */
export class AbacAuthorizer implements Authorizer, RuleResolver {
  readonly #policies: readonly AbacPolicy[];
  /** Policies that name a user, and those that name a group only. A policy that names neither matches nobody. */
  readonly #ofUsers: ReadonlyMap<string, readonly AbacPolicy[]>;
  readonly #ofGroups: ReadonlyMap<string, readonly AbacPolicy[]>;

  constructor(policies: readonly AbacPolicy[]) {
    this.#policies = policies;
    this.#ofUsers = Map.groupBy(
      policies.filter(({ user }) => user !== ''),
      ({ user }) => user,
    );
    this.#ofGroups = Map.groupBy(
      policies.filter(({ user, group }) => user === '' && group !== ''),
      ({ group }) => group,
    );
  }

  authorize(attributes: AuthorizerAttributes): Authorization {
    const { name, groups } = attributes.user;
    const matches = (policy: AbacPolicy): boolean =>
      (policy.user === '' || policy.group === '' || groups.includes(policy.group)) && allows(policy, attributes);
    if (this.#ofUsers.get(name)?.some(matches) === true) return allowed;
    return groups.some((group) => this.#ofGroups.get(group)?.some(matches)) ? allowed : noPolicy;
  }

  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const groups = new Set(user.groups);
    const held = this.#policies.filter(
      (policy) => isAbout(policy, user.name, groups) && matchesText(policy.namespace, namespace),
    );
    return {
      resourceRules: held
        .filter(({ resource }) => resource !== '')
        .map(({ readonly, apiGroup, resource }) => ({
          verbs: verbsOf(readonly),
          apiGroups: [apiGroup],
          resources: [resource],
          resourceNames: [],
        })),
      nonResourceRules: held
        .filter(({ nonResourcePath }) => nonResourcePath !== '')
        .map(({ readonly, nonResourcePath }) => ({ verbs: verbsOf(readonly), nonResourceURLs: [nonResourcePath] })),
      incomplete: false,
      evaluationError: '',
    };
  }
}

function isAbout({ user, group }: AbacPolicy, name: string, groups: ReadonlySet<string>): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === name) && (group === '' || groups.has(group));
}

function allows(policy: AbacPolicy, attributes: AuthorizerAttributes): boolean {
  if (policy.readonly && !readVerbs.includes(attributes.verb)) return false;
  if (!attributes.resourceRequest) return matchesPath(policy.nonResourcePath, attributes.path);
  return (
    matchesText(policy.namespace, attributes.namespace) &&
    matchesText(policy.resource, attributes.resource) &&
    matchesText(policy.apiGroup, attributes.apiGroup)
  );
}

function matchesText(pattern: string, text: string): boolean {
  return pattern === '*' || pattern === text;
}

function matchesPath(pattern: string, path: string): boolean {
  return matchesText(pattern, path) || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));
}

function verbsOf(isReadonly: boolean): readonly string[] {
  return isReadonly ? readVerbs : ['*'];
}
