import type { ApiServiceSpec } from '../apiservices/api-service.ts';
import type { ServedGroupVersion } from '../../shared/server/control-stream.ts';
import type { BackendPool } from './backend-pool.ts';

/** Where the requests of one group version go. */
export type Route =
  | { readonly kind: 'backend'; readonly pool: BackendPool; readonly served: ServedGroupVersion }
  /** Served by this process. */
  | { readonly kind: 'self'; readonly served: ServedGroupVersion }
  /** An extension API server that a user registered. */
  | { readonly kind: 'remote'; readonly spec: ApiServiceSpec };

/** All routes at one moment. Immutable: a change makes a new table, which is swapped in whole. */
export class RoutingTable {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #groups: ReadonlySet<string>;

  constructor(routes: ReadonlyMap<string, Route>) {
    this.#routes = routes;
    this.#groups = new Set([...routes.keys()].map((name) => name.slice(0, name.indexOf('/'))));
  }

  find(group: string, version: string): Route | undefined {
    return this.#routes.get(`${group}/${version}`);
  }

  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  routes(): Iterable<Route> {
    return this.#routes.values();
  }
}

export interface RoutingSources {
  /** Pools with what they serve, in order of preference. */
  readonly pools: readonly { readonly pool: BackendPool; readonly served: readonly ServedGroupVersion[] }[];
  readonly own: readonly ServedGroupVersion[];
  /** Those with a Service win over our own servers, as in the reference. */
  readonly apiServices: Iterable<ApiServiceSpec>;
}

export function buildRoutingTable({ pools, own, apiServices }: RoutingSources): RoutingTable {
  const routes = new Map<string, Route>();
  for (const { pool, served } of pools.toReversed()) {
    for (const version of served) routes.set(`${version.group}/${version.version}`, { kind: 'backend', pool, served: version });
  }
  for (const spec of apiServices) if (spec.service !== undefined) routes.set(`${spec.group}/${spec.version}`, { kind: 'remote', spec });
  for (const version of own) routes.set(`${version.group}/${version.version}`, { kind: 'self', served: version });
  return new RoutingTable(routes);
}
