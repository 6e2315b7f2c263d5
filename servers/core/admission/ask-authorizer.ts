import type { Authorize } from '#shared/admission/contract/authorize.ts';
import type { Authorizer } from '#shared/authorization/contract/authorizer.ts';

/** Adapts the server's own authorizer to the form in which admission plugins call it. */
export function askAuthorizer(authorizer: Authorizer): Authorize {
  return async (user, { verb, group, version, resource, subresource = '', namespace = '', name }) => {
    const { decision, reason, error } = await authorizer.authorize({
      user,
      verb,
      resourceRequest: true,
      apiGroup: group,
      apiVersion: version,
      resource,
      subresource,
      namespace,
      name,
      path: '',
    });
    return { allowed: decision === 'allow', reason, ...(error === undefined ? {} : { error }) };
  };
}
