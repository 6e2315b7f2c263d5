import type { RequestInfo } from '../request/request-info.ts';
import type { UserInfo } from '../request/user.ts';
import type { AuthorizerAttributes } from './authorizer.ts';

/** The question that a request poses. */
export function requestAttributes(user: UserInfo, info: RequestInfo): AuthorizerAttributes {
  return {
    user, verb: info.verb, resourceRequest: info.isResourceRequest, apiGroup: info.apiGroup, apiVersion: info.apiVersion,
    resource: info.resource, subresource: info.subresource, namespace: info.namespace, name: info.name, path: info.path, fieldSelector: info.fieldSelector,
  };
}
