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
  /** `--delete-collection-workers`: how many objects one deletecollection request deletes at the same time. */
  readonly deleteCollectionWorkers: number;
  /**
   * `--watch-cache`: a list at resourceVersion 0 ignores `limit` and returns everything, as a list from a cache does.
   * Without the flag it comes in pages.
   */
  readonly wholeAtZero: boolean;
  /** `ShardedListAndWatch`: clients may ask for parts of a collection. */
  readonly shards: boolean;
  /** Forms of bodies and answers; see {@link offeredMediaTypes}. */
  readonly mediaTypes: readonly MediaType[];
  /** The largest request body, in bytes. */
  readonly maxBodyBytes: number;
}
