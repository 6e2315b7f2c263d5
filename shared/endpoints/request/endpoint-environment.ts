import type { AdmissionChain } from '../../admission/contract/admission.ts';
import type { Facts } from '../../api/facts.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { RestResources } from '../../registry/create-rest-resources.ts';
import type { MediaType } from '../../serializer/negotiate.ts';

/** What the handlers ask of the resources of a server. */
export type EndpointResources = Pick<RestResources, 'find' | 'hasGroupVersion' | 'readAtRevision'>;

/** What the verb handlers work with; one instance a server. */
export interface EndpointEnvironment {
  readonly resources: EndpointResources;
  readonly facts: Facts;
  readonly admission: AdmissionChain;
  /**
   * Asks whether the user may do something else with the object than the request says (create by PUT or apply); throws
   * the 403.
   */
  readonly authorizeVerb: (context: RequestContext, verb: string) => Promise<void>;
  /** `--min-request-timeout`, seconds: watches without a timeout last between this and twice this. */
  readonly minRequestTimeoutSeconds: number;
  /** `--delete-collection-workers`: deletions at a time of one request. */
  readonly deleteCollectionWorkers: number;
  /**
   * `--watch-cache`: lists at version 0 are whole, as those from a cache, whatever their limit. Without it they come in
   * pages.
   */
  readonly wholeAtZero: boolean;
  /** `ShardedListAndWatch`: clients may ask for parts of a collection. */
  readonly shards: boolean;
  /** Forms of bodies and answers; see {@link offeredMediaTypes}. */
  readonly mediaTypes: readonly MediaType[];
  /** Bytes of a request body. */
  readonly maxBodyBytes: number;
}
