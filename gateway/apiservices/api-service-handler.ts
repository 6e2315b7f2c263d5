import { createAdmission } from '../../shared/admission/create-admission.ts';
import type { Authorizer } from '../../shared/authorization/contract/authorizer.ts';
import { requireAllowed } from '../../shared/authorization/forbidden.ts';
import { requestAttributes } from '../../shared/authorization/request-attributes.ts';
import { createResourceHandler } from '../../shared/endpoints/create-resource-handler.ts';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';
import type { Handler } from '../../shared/request/request-context.ts';
import { offeredMediaTypes } from '../../shared/serializer/negotiate.ts';
import { servesCbor, servesShards } from '../../shared/server/options/feature-gates.ts';
import type { ServerOptions } from '../../shared/server/options/server-options.ts';

const maxBodyBytes = 3 * 1024 * 1024;

/** The verbs on APIServices, as on any other resource. */
export function createApiServiceHandler(
  options: ServerOptions,
  resources: RestResources,
  authorizer: Authorizer,
): Handler {
  return createResourceHandler({
    resources,
    facts: resources.facts,
    maxBodyBytes,
    mediaTypes: offeredMediaTypes(servesCbor(options)),
    admission: createAdmission({ flags: options, namespaces: resources.caches.cache('', 'namespaces') }),
    minRequestTimeoutSeconds: options.minRequestTimeout,
    deleteCollectionWorkers: options.deleteCollectionWorkers,
    wholeAtZero: options.watchCache,
    shards: servesShards(options),
    authorizeVerb: ({ user, info }, verb) => requireAllowed(authorizer, requestAttributes(user, { ...info, verb })),
  });
}
