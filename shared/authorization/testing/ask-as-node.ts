import type { Authorization, Authorizer, AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import type { UserInfo } from '#shared/request/user.ts';

export function nodeUser(name: string): UserInfo {
  return { name: `system:node:${name}`, uid: '', groups: ['system:nodes', 'system:authenticated'], extra: {} };
}

/** A question of the node n1 about an object of the namespace ns, unless changed. */
export function askAsNode(change: Partial<AuthorizerAttributes>): AuthorizerAttributes {
  return {
    user: nodeUser('n1'),
    verb: 'get',
    resourceRequest: true,
    apiGroup: '',
    apiVersion: 'v1',
    resource: 'secrets',
    subresource: '',
    namespace: 'ns',
    name: '',
    path: '',
    ...change,
  };
}

/** `allow`, or the reason of the refusal. */
export async function answerOf(authorizer: Authorizer, change: Partial<AuthorizerAttributes>): Promise<string> {
  const { decision, reason }: Authorization = await authorizer.authorize(askAsNode(change));
  return decision === 'allow' ? decision : reason;
}
