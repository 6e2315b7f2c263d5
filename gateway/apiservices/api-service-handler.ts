import { createAdmission } from '../../shared/admission/create-admission.ts';
import type { Authorizer } from '../../shared/authorization/authorizer.ts';
import { requireAllowed } from '../../shared/authorization/forbidden.ts';
import { createResourceHandler } from '../../shared/endpoints/create-resource-handler.ts';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';
import type { Handler } from '../../shared/request/request-context.ts';
import type { ServerOptions } from '../../shared/server/options/server-options.ts';

const maxBodyBytes = 3 * 1024 * 1024;

/** The verbs on APIServices, as on any other resource. */
export function createApiServiceHandler(options: ServerOptions, resources: RestResources, authorizer: Authorizer): Handler {
  const admission = createAdmission({
    flags: options,
    namespaces: resources.caches.cache('', 'namespaces'),
  });
  return createResourceHandler({
    resources, facts: resources.facts, admission, maxBodyBytes,
    minRequestTimeoutSeconds: options.minRequestTimeout,
    authorizeVerb: ({ user, info }, verb) => requireAllowed(authorizer, {
      user, verb, resourceRequest: true, apiGroup: info.apiGroup, apiVersion: info.apiVersion, resource: info.resource,
      subresource: info.subresource, namespace: info.namespace, name: info.name, path: info.path,
    }),
  });
}
