import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import {
  allAuthenticated,
  allUnauthenticated,
  anonymousName,
  mastersGroup,
} from '#shared/authentication/contract/authenticator.ts';
import type { Authorizer, AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { forbiddenError, requireAllowed } from '#shared/authorization/forbidden.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { nodeOfUser, serviceAccountGroups, splitServiceAccount } from './account-names.ts';

/** With at least this many groups or extra values, a single check with a wildcard is tried first. */
const manyChecks = 4;

/**
 * How a mode checks permissions: the verb `impersonate` is the older form, without the sanity checks of the constrained
 * forms.
 */
export interface UserCheck {
  readonly verb: string;
  readonly constrained: boolean;
  /** The name that is checked instead of the node's own (associated nodes: `*`). */
  readonly nodeName?: string;
}

/**
 * Authorizes each attribute of the impersonated user separately: name, uid, groups, extra. Returns the user to act as.
 * @throws StatusError 403
 */
export async function checkWantedUser(
  authorizer: Authorizer,
  check: UserCheck,
  requestor: UserInfo,
  wanted: UserInfo,
): Promise<UserInfo> {
  const ask = (change: Partial<AuthorizerAttributes>): AuthorizerAttributes => ({
    user: requestor,
    verb: check.verb,
    resourceRequest: true,
    apiGroup: 'authentication.k8s.io',
    apiVersion: 'v1',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    path: '',
    ...change,
  });
  const core: Partial<AuthorizerAttributes> = check.constrained ? {} : { apiGroup: '' };
  let groups = await checkName(authorizer, check, ask, core, wanted);
  if (wanted.uid !== '') await requireAllowed(authorizer, ask({ resource: 'uids', name: wanted.uid }));
  if (wanted.groups.length > 0)
    await checkGroups(authorizer, check, ask({ ...core, resource: 'groups' }), wanted.groups);
  await checkExtra(authorizer, check, ask({ resource: 'userextras' }), wanted.extra);
  if (wanted.name === anonymousName) groups = withGroup(groups, allUnauthenticated);
  else if (!groups.includes(allUnauthenticated)) groups = withGroup(groups, allAuthenticated);
  return { ...wanted, groups };
}

type Ask = (change: Partial<AuthorizerAttributes>) => AuthorizerAttributes;

/** Returns the groups of the user; nodes and service accounts get theirs from their name. */
async function checkName(
  authorizer: Authorizer,
  check: UserCheck,
  ask: Ask,
  core: Partial<AuthorizerAttributes>,
  wanted: UserInfo,
): Promise<readonly string[]> {
  const node = check.constrained ? nodeOfUser(wanted.name) : undefined;
  if (node !== undefined) {
    await requireAllowed(authorizer, ask({ ...core, resource: 'nodes', name: check.nodeName ?? node }));
    return ['system:nodes'];
  }
  const account = splitServiceAccount(wanted.name);
  if (account) {
    await requireAllowed(authorizer, ask({ ...core, resource: 'serviceaccounts', ...account }));
    return wanted.groups.length === 0 ? serviceAccountGroups(account.namespace) : wanted.groups;
  }
  await requireAllowed(authorizer, ask({ ...core, resource: 'users', name: wanted.name }));
  return wanted.groups;
}

async function checkGroups(
  authorizer: Authorizer,
  check: UserCheck,
  attributes: AuthorizerAttributes,
  groups: readonly string[],
): Promise<void> {
  if (check.constrained) {
    if (groups.includes('')) throw forbiddenError(attributes, 'impersonating the empty string group is not allowed');
    if (groups.includes(mastersGroup))
      throw forbiddenError(
        { ...attributes, name: mastersGroup },
        `impersonating the ${mastersGroup} group is not allowed`,
      );
    if (groups.length >= manyChecks && (await isAllowed(authorizer, { ...attributes, name: '*' }))) return;
  }
  for (const name of groups) await requireAllowed(authorizer, { ...attributes, name });
}

async function checkExtra(
  authorizer: Authorizer,
  check: UserCheck,
  attributes: AuthorizerAttributes,
  extra: UserInfo['extra'],
): Promise<void> {
  const entries = Object.entries(extra);
  if (entries.length === 0) return;
  if (check.constrained) {
    const problem = extraProblem(entries);
    if (problem !== '') throw forbiddenError(attributes, problem);
    const values = entries.reduce((sum, [, list]) => sum + list.length, 0);
    const many = entries.length >= manyChecks || values >= manyChecks;
    if (many && (await isAllowed(authorizer, { ...attributes, subresource: '*', name: '*' }))) return;
  }
  for (const [subresource, values] of entries) {
    for (const name of values) await requireAllowed(authorizer, { ...attributes, subresource, name });
  }
}

function extraProblem(entries: readonly (readonly [string, readonly string[]])[]): string {
  for (const [key, values] of entries) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/.+/i.test(key)) {
      return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${goQuote(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
    }
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
    if (values.length === 0) return 'impersonating empty values in extra is not allowed';
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return '';
}

async function isAllowed(authorizer: Authorizer, attributes: AuthorizerAttributes): Promise<boolean> {
  return (await authorizer.authorize(attributes)).decision === 'allow';
}

function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}
