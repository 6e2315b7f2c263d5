import type { AdmissionChain } from '#shared/admission/contract/admission.ts';
import type { Facts } from '#shared/api/facts.ts';
import type { Authorizer } from '#shared/authorization/contract/authorizer.ts';
import { requireAllowed } from '#shared/authorization/forbidden.ts';
import { requestAttributes } from '#shared/authorization/request-attributes.ts';
import type { HandlerDependencies } from '#shared/endpoints/request/handler-dependencies.ts';
import { offeredMediaTypes } from '#shared/serializer/negotiate.ts';
import { servesCbor, servesShards } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { isWatchCached } from '#shared/server/options/watch-cache-sizes.ts';

/** The largest request body (apiserver/pkg/server/config.go, MaxRequestBodyBytes). */
const maxBodyBytes = 3 * 1024 * 1024;

export interface HandlerDependenciesOptions {
  readonly options: ServerOptions;
  readonly facts: Facts;
  readonly admission: AdmissionChain;
  readonly authorizer: Authorizer;
}

/** The settings of all verbs of a server that depend on its flags, not on its resources. */
export function handlerDependencies({
  options,
  facts,
  admission,
  authorizer,
}: HandlerDependenciesOptions): Omit<HandlerDependencies, 'resources'> {
  return {
    facts,
    admission,
    maxBodyBytes,
    mediaTypes: offeredMediaTypes(servesCbor(options)),
    minRequestTimeoutSeconds: options.minRequestTimeout,
    deleteCollectionWorkers: options.deleteCollectionWorkers,
    wholeAtZero: isWatchCached(options),
    shards: servesShards(options),
    authorizeVerb: ({ user, info }, verb) => requireAllowed(authorizer, requestAttributes(user, { ...info, verb })),
  };
}
