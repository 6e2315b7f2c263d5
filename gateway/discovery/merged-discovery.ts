import { LatestAnswer } from '#gateway/polling/latest-answer.ts';
import type { BackendPool } from '#gateway/proxy/backend-pool.ts';
import type { CurrentRoutes } from '#gateway/proxy/current-routes.ts';
import { internalFetch } from '#gateway/proxy/internal-request.ts';
import type { RoutingTable } from '#gateway/proxy/routing-table.ts';
import { discoveryList, groupDiscoveries } from '#shared/endpoints/discovery/api-group-discovery.ts';
import type {
  APIGroupDiscovery,
  APIGroupDiscoveryList,
  RegisteredVersion,
} from '#shared/endpoints/discovery/api-group-discovery.ts';
import { discoveryETag } from '#shared/endpoints/discovery/discovery-etag.ts';
import type { DiscoveryRoot, TaggedDiscovery } from '#shared/endpoints/discovery/discovery-handler.ts';
import type { GroupVersions } from '#shared/endpoints/discovery/legacy-documents.ts';
import { apiRegistrationPriority, groupsByPriority, mergeDiscovery } from '#shared/endpoints/discovery/merge.ts';
import type { DiscoverySource, ServicePriority } from '#shared/endpoints/discovery/merge.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';

interface KnownDocument {
  readonly groups: readonly APIGroupDiscovery[];
  readonly etag: string;
}

const aggregatedAccept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** Shortest time before the document of a backend that could not be read is requested again. */
const staleMs = 1000;
/** How long a request for `/apis` waits for a backend that hangs. */
const patienceMs = 500;
/** Delay of the first request to a new backend, so that it does not slow down the backend's start. */
const firstReadAfterMs = 250;

/**
 * Joins the aggregated documents of the backends and the gateway's own group. The joined document is built by the first
 * request after a change; concurrent requests share it. While a backend hangs, its last document is shown; while it is
 * unavailable, that is marked Stale.
 */
export class DiscoveryMerger implements DiscoveryRoot {
  readonly #own: readonly RegisteredVersion[];
  readonly #remote: Pick<RemoteDiscovery, 'source'>;
  readonly #routes: CurrentRoutes;
  readonly #documents = new Map<BackendPool, LatestAnswer<KnownDocument>>();
  #made = 0;
  #current: Promise<TaggedDiscovery> | undefined;
  #firstRead: NodeJS.Timeout | undefined;
  #validUntilMs = Number.POSITIVE_INFINITY;

  constructor(own: readonly RegisteredVersion[], remote: Pick<RemoteDiscovery, 'source'>, routes: CurrentRoutes) {
    this.#own = own;
    this.#remote = remote;
    this.#routes = routes;
    routes.onChange(() => this.#invalidate());
  }

  current(): Promise<TaggedDiscovery> {
    if (performance.now() > this.#validUntilMs) this.#current = undefined;
    return (this.#current ??= this.#make(this.#routes.table));
  }

  /** Groups of `/apis` from the routing table alone, without a request to any backend. */
  groups(): readonly GroupVersions[] {
    return groupsByPriority(servicePriorities(this.#routes.table)).filter(({ group }) => group !== '');
  }

  metrics(): Family[] {
    return [
      {
        name: 'aggregator_discovery_aggregation_count_total',
        type: 'counter',
        help: '[ALPHA] How often the aggregated document was made.',
        labelNames: [],
        samples: () => [{ labels: [], value: this.#made }],
      },
    ];
  }

  /** Called when the routes or a backend's state changed. */
  #invalidate(): void {
    this.#current = undefined;
    const { table } = this.#routes;
    if (this.#firstRead !== undefined || poolsOf(table).every((pool) => this.#documents.has(pool))) return;
    // Reads the document of a new backend before a client needs it, as the backend may hang by then.
    this.#firstRead = setTimeout(() => {
      this.#firstRead = undefined;
      void this.current();
    }, firstReadAfterMs).unref();
  }

  async #make(table: RoutingTable): Promise<TaggedDiscovery> {
    this.#made++;
    const routes = [...table.routes()];
    const documents = new Map(
      await Promise.all(poolsOf(table).map(async (pool) => [pool, await this.#document(pool).get()] as const)),
    );
    this.#validUntilMs = [...documents.values()].some(({ state }) => state !== 'current')
      ? performance.now() + staleMs
      : Number.POSITIVE_INFINITY;
    const listed = new Map([...documents].map(([pool, { value }]) => [pool, value && versionsIn(value.groups)]));
    const own = groupDiscoveries(this.#own);
    const sources = routes.flatMap((route): DiscoverySource[] => {
      const place = servicePriority(route);
      if (route.kind === 'self') return [{ ...place, groups: own, stale: false }];
      if (route.kind === 'remote') return [{ ...place, ...this.#remote.source(route.name, route.spec.group) }];
      const document = documents.get(route.pool);
      // A version whose CustomResourceDefinition is not established has an APIService, but is not in discovery.
      if (route.served.defined === true && listed.get(route.pool)?.has(`${place.group}/${place.version}`) === false)
        return [];
      return [
        {
          ...place,
          groups: document?.value?.groups,
          stale: document?.value === undefined || document.state === 'failed',
        },
      ];
    });
    const named = sources.filter(({ group }) => group !== '');
    const list = discoveryList(mergeDiscovery(named));
    return { list, etag: discoveryETag(list) };
  }

  #document(pool: BackendPool): LatestAnswer<KnownDocument> {
    let document = this.#documents.get(pool);
    if (document === undefined)
      this.#documents.set(pool, (document = new LatestAnswer((known) => readDocument(pool, known), patienceMs)));
    return document;
  }
}

async function readDocument(pool: BackendPool, known: KnownDocument | undefined): Promise<KnownDocument> {
  const { status, headers, body } = await internalFetch(pool, '/apis', { accept: aggregatedAccept, etag: known?.etag });
  if (status === 304 && known !== undefined) return known;
  if (status !== 200) throw new Error(`status ${status}`);
  return {
    groups: (JSON.parse(body.toString('utf8')) as APIGroupDiscoveryList).items,
    etag: String(headers['etag'] ?? ''),
  };
}

/** `group/version` of each version in a document. */
function versionsIn(groups: readonly APIGroupDiscovery[]): ReadonlySet<string> {
  return new Set(
    groups.flatMap(({ metadata: { name }, versions }) =>
      name === undefined ? [] : versions.map(({ version }) => `${name}/${version}`),
    ),
  );
}

function poolsOf(table: RoutingTable): BackendPool[] {
  return [...new Set([...table.routes()].flatMap((route) => (route.kind === 'backend' ? [route.pool] : [])))];
}

function servicePriorities(table: RoutingTable): ServicePriority[] {
  return [...table.routes()].map(servicePriority);
}

function servicePriority(route: ReturnType<RoutingTable['find']> & object): ServicePriority {
  if (route.kind === 'self') return apiRegistrationPriority;
  if (route.kind === 'remote') {
    const { group, version, groupPriorityMinimum, versionPriority } = route.spec;
    return { group, version, groupPriorityMinimum, versionPriority };
  }
  const { group, version, groupPriority, versionPriority } = route.served;
  return { group, version, groupPriorityMinimum: groupPriority, versionPriority };
}
