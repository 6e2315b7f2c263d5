import { discoveryList, groupDiscoveries } from '../../shared/endpoints/discovery/api-group-discovery.ts';
import type { APIGroupDiscovery, APIGroupDiscoveryList, RegisteredVersion } from '../../shared/endpoints/discovery/api-group-discovery.ts';
import { discoveryETag } from '../../shared/endpoints/discovery/discovery-etag.ts';
import type { DiscoveryRoot, TaggedDiscovery } from '../../shared/endpoints/discovery/discovery-handler.ts';
import type { GroupVersions } from '../../shared/endpoints/discovery/legacy-documents.ts';
import { apiRegistrationPriority, groupsByPriority, mergeDiscovery } from '../../shared/endpoints/discovery/merge.ts';
import type { DiscoverySource, ServicePriority } from '../../shared/endpoints/discovery/merge.ts';
import type { BackendPool } from '../proxy/backend-pool.ts';
import { internalFetch } from '../proxy/internal-fetch.ts';
import type { RoutingTable } from '../proxy/routing-table.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';

interface KnownDocument {
  readonly groups: readonly APIGroupDiscovery[] | undefined;
  readonly stale: boolean;
}

const aggregatedAccept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** A backend whose document could not be read is asked again after it at the earliest. */
const staleMs = 1000;

/**
 * Joins the aggregated documents of the backends and the gateway's own group. Made when first asked for after a change;
 * requests that come meanwhile share the work. What a backend said last is shown, marked Stale, while it is away.
 */
export class DiscoveryMerger implements DiscoveryRoot {
  readonly #own: readonly RegisteredVersion[];
  readonly #remote: Pick<RemoteDiscovery, 'source'>;
  readonly #known = new Map<BackendPool, KnownDocument>();
  #table: RoutingTable;
  #current: Promise<TaggedDiscovery> | undefined;
  #validUntilMs = Number.POSITIVE_INFINITY;

  constructor(own: readonly RegisteredVersion[], remote: Pick<RemoteDiscovery, 'source'>, table: RoutingTable) {
    this.#own = own;
    this.#remote = remote;
    this.#table = table;
  }

  /** The routes or a backend's state changed. */
  invalidate(table: RoutingTable = this.#table): void {
    this.#table = table;
    this.#current = undefined;
  }

  current(): Promise<TaggedDiscovery> {
    if (Date.now() > this.#validUntilMs) this.#current = undefined;
    return (this.#current ??= this.#make(this.#table));
  }

  /** Groups of `/apis`, without asking anybody. */
  groups(): readonly GroupVersions[] {
    return groupsByPriority(servicePriorities(this.#table)).filter(({ group }) => group !== '');
  }

  async #make(table: RoutingTable): Promise<TaggedDiscovery> {
    const routes = [...table.routes()];
    const pools = new Set(routes.flatMap((route) => (route.kind === 'backend' ? [route.pool] : [])));
    const documents = new Map(await Promise.all([...pools].map(async (pool) => [pool, await this.#read(pool)] as const)));
    this.#validUntilMs = [...documents.values()].some(({ stale }) => stale) ? Date.now() + staleMs : Number.POSITIVE_INFINITY;
    const own = groupDiscoveries(this.#own);
    const sources = routes.map((route): DiscoverySource => {
      const place = servicePriority(route);
      if (route.kind === 'self') return { ...place, groups: own, stale: false };
      if (route.kind === 'remote') return { ...place, ...this.#remote.source(route.name, route.spec.group) };
      return { ...place, ...(documents.get(route.pool) ?? { groups: undefined, stale: true }) };
    });
    const named = sources.filter(({ group }) => group !== '');
    const list = discoveryList(mergeDiscovery(named));
    return { list, etag: discoveryETag(list) };
  }

  async #read(pool: BackendPool): Promise<KnownDocument> {
    let document: KnownDocument;
    try {
      const { status, body } = await internalFetch(pool, '/apis', aggregatedAccept);
      if (status !== 200) throw new Error(`status ${status}`);
      document = { groups: (JSON.parse(body.toString('utf8')) as APIGroupDiscoveryList).items, stale: false };
    } catch {
      document = { groups: this.#known.get(pool)?.groups, stale: true };
    }
    this.#known.set(pool, document);
    return document;
  }
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
