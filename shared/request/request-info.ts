import type { QueryParameters } from './query-parameters.ts';

/** What a request asks for, by its path, query and method (apiserver/pkg/endpoints/request). */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** Percent-decoded path. */
  readonly path: string;
  /** API verb (`get`, `list`, `watch`, `create`, …) or the lower-cased method for other paths. */
  readonly verb: string;
  /** `api` or `apis`; empty for other paths. */
  readonly apiPrefix: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly namespace: string;
  /**
   * The verb at the beginning of the path, if there is one: `watch`, the deprecated form of a watch, or `proxy`, which
   * is no longer supported.
   */
  readonly pathVerb: string;
  /**
   * Whether the path has `namespaces/<namespace>` before the resource. For a request for a Namespace itself, {@link
   * namespace} is set, too, but not this.
   */
  readonly belowNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path segments from the resource on. */
  readonly parts: readonly string[];
  readonly fieldSelector: string;
  readonly labelSelector: string;
  /** The decoded query. Repeated keys keep all values. */
  readonly query: QueryParameters;
}
