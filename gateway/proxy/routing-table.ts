import type { ApiServiceSpec } from '#gateway/apiservices/api-service.ts';
import type { ServedGroupVersion } from '#shared/process/control-stream.ts';
import type { BackendPool } from './backend-pool.ts';

/** Where the requests of one group version go. */
export type BackendRoute =
  | { readonly kind: 'backend'; readonly pool: BackendPool; readonly served: ServedGroupVersion }
  /** Served by this process. */
  | { readonly kind: 'self'; readonly served: ServedGroupVersion }
  /** An API server that a user registered; `name` is its APIService's. */
  | { readonly kind: 'remote'; readonly spec: ApiServiceSpec; readonly name: string };

/** All routes at one moment. Immutable: after a change a new table replaces it. */
export class RoutingTable {
  readonly #routes: ReadonlyMap<string, BackendRoute>;
  readonly #ownGroups: ReadonlySet<string>;

  constructor(routes: ReadonlyMap<string, BackendRoute>) {
    this.#routes = routes;
    this.#ownGroups = new Set(
      [...routes.values()].flatMap((route) =>
        route.kind === 'remote' || route.served.defined === true ? [] : [route.served.group],
      ),
    );
  }

  find(group: string, version: string): BackendRoute | undefined {
    return this.#routes.get(`${group}/${version}`);
  }

  /** Whether one of our own servers serves a version of the group, other than by CustomResourceDefinitions. */
  ownsGroup(group: string): boolean {
    return this.#ownGroups.has(group);
  }

  routes(): Iterable<BackendRoute> {
    return this.#routes.values();
  }
}

export interface RoutingSources {
  /** Pools with the group versions that they serve, in order of preference. */
  readonly pools: readonly { readonly pool: BackendPool; readonly served: readonly ServedGroupVersion[] }[];
  readonly own: readonly ServedGroupVersion[];
  /** Registered servers win over our own, as in the reference. */
  readonly remote: Iterable<BackendRoute & { readonly kind: 'remote' }>;
}

export function buildRoutingTable({ pools, own, remote }: RoutingSources): RoutingTable {
  const routes = new Map<string, BackendRoute>();
  for (const { pool, served } of pools.toReversed()) {
    for (const version of served)
      routes.set(`${version.group}/${version.version}`, { kind: 'backend', pool, served: version });
  }
  for (const route of remote) routes.set(`${route.spec.group}/${route.spec.version}`, route);
  for (const version of own) routes.set(`${version.group}/${version.version}`, { kind: 'self', served: version });
  return new RoutingTable(routes);
}
