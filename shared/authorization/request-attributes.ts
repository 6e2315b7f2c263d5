import { parseFieldSelector, type FieldSelector } from '#shared/apimachinery/selectors/fields.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { AuthorizerAttributes } from './contract/authorizer.ts';

/** The attributes of a request for the authorizer. */
export function requestAttributes(
  user: UserInfo,
  info: RequestInfo,
  onEnd?: AuthorizerAttributes['onEnd'],
): AuthorizerAttributes {
  return {
    user,
    verb: info.verb,
    resourceRequest: info.isResourceRequest,
    apiGroup: info.apiGroup,
    apiVersion: info.apiVersion,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    path: info.path,
    fieldSelector: readFieldSelector(info.fieldSelector),
    labelSelector: info.labelSelector,
    onEnd,
  };
}

/** Undefined if there is no selector, or one that cannot be parsed: the question is then about all objects. */
function readFieldSelector(text: string): FieldSelector | undefined {
  if (text === '') return undefined;
  try {
    return atOnce(parseFieldSelector(text));
  } catch {
    return undefined;
  }
}
