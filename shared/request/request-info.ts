/** What a request asks for, read off its path, query and method (apiserver/pkg/endpoints/request). */
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
   * The word in front of all that, where the path begins with one: `watch`, the old way to watch, or `proxy`, of which
   * nothing is left.
   */
  readonly pathVerb: string;
  /**
   * The path says `namespaces/<namespace>` in front of the resource. A namespace that is itself asked for is also in
   * {@link namespace}.
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
  readonly query: URLSearchParams;
}
