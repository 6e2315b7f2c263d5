import type { Authorizer, AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { mastersAuthorizer, unionAuthorizer } from '#shared/authorization/union.ts';
import type { CallApi } from './api-access.ts';

const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/** Authorizes each request by a SubjectAccessReview to the API server; system:masters may do everything. */
export function delegatedAuthorizer(call: CallApi): Authorizer {
  const asking: Authorizer = {
    async authorize(attributes) {
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: specOf(attributes) };
      const { status } = await call<{
        readonly status: { readonly allowed: boolean; readonly denied?: boolean; readonly reason?: string };
      }>('POST', path, review);
      const decision = status.allowed ? 'allow' : status.denied === true ? 'deny' : 'noOpinion';
      return { decision, reason: status.reason ?? '' };
    },
  };
  return unionAuthorizer([mastersAuthorizer, asking]);
}

function specOf(attributes: AuthorizerAttributes): object {
  const { user, verb, apiGroup, apiVersion, resource, subresource, namespace, name } = attributes;
  return {
    user: user.name,
    groups: user.groups,
    uid: user.uid,
    extra: user.extra,
    ...(attributes.resourceRequest
      ? {
          resourceAttributes: {
            verb,
            group: apiGroup,
            version: apiVersion,
            resource,
            subresource,
            namespace,
            name,
          },
        }
      : { nonResourceAttributes: { verb, path: attributes.path } }),
  };
}
