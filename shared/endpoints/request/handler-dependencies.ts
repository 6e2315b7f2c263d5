import type { AdmissionChain } from '#shared/admission/contract/admission.ts';
import type { Facts } from '#shared/api/facts.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { MediaType } from '#shared/serializer/negotiate.ts';

/** The part of a server's resources that the handlers use. */
export type EndpointResources = Pick<RestResources, 'find' | 'hasGroupVersion' | 'readAtRevision'>;

/** The dependencies of the verb handlers; one instance per server. */
export interface HandlerDependencies {
  readonly resources: EndpointResources;
  readonly facts: Facts;
  readonly admission: AdmissionChain;
  /**
   * Authorizes another verb on the object than that of the request (create by PUT or apply); throws a 403 if it is
   * denied.
   */
  readonly authorizeVerb: (context: RequestContext, verb: string) => Promise<void>;
  /** `--min-request-timeout`, seconds: watches without a timeout last between this and twice this. */
  readonly minRequestTimeoutSeconds: number;
  /** `--delete-collection-workers`: how many objects one deletecollection request deletes at the same time. */
  readonly deleteCollectionWorkers: number;
  /**
   * `--watch-cache` and `--watch-cache-sizes`: whether a list of the resource at resourceVersion 0 ignores `limit` and
   * returns everything, as a list from a cache does. Otherwise the list is paged.
   */
  readonly wholeAtZero: (resource: { readonly group: string; readonly resource: string }) => boolean;
  /** `ShardedListAndWatch`: clients may request a part of a collection. */
  readonly shards: boolean;
  /** Media types of request and response bodies; see {@link offeredMediaTypes}. */
  readonly mediaTypes: readonly MediaType[];
  /** The largest request body, in bytes. */
  readonly maxBodyBytes: number;
}
