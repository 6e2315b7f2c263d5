import type { APIGroupDiscovery } from '#shared/endpoints/discovery/api-group-discovery.ts';
import { discoveryList } from '#shared/endpoints/discovery/api-group-discovery.ts';
import { discoveryETag } from '#shared/endpoints/discovery/discovery-etag.ts';
import type { DiscoveryRoot, TaggedDiscovery } from '#shared/endpoints/discovery/discovery-handler.ts';
import type { GroupVersions } from '#shared/endpoints/discovery/legacy-documents.ts';
import { negotiateDiscovery } from '#shared/endpoints/discovery/negotiate-discovery.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { mergeDocuments } from './merge-documents.ts';

type Documents = ReadonlyMap<string, readonly APIGroupDiscovery[]>;

export interface PeerDiscoveryOptions {
  readonly id: string;
  /** What this server shows by itself. */
  readonly own: DiscoveryRoot;
  /** Returns the same map until a document changes. Undefined if this server does not know its peers. */
  readonly peers: (() => Documents) | undefined;
}

interface Made {
  readonly own: TaggedDiscovery;
  readonly peers: Documents;
  readonly merged: TaggedDiscovery;
}

/** `/apis` with what peers serve, merged by the first request after a change. */
export class PeerDiscovery implements DiscoveryRoot {
  readonly #options: PeerDiscoveryOptions;
  readonly #hits = new Counter(
    'aggregator_discovery_peer_aggregated_cache_hits_total',
    '[ALPHA] How often the document of all servers was served as it was.',
    [],
  );
  readonly #misses = new Counter(
    'aggregator_discovery_peer_aggregated_cache_misses_total',
    '[ALPHA] How often the document of all servers was made.',
    [],
  );
  readonly #local = new Counter(
    'aggregator_discovery_nopeer_requests_total',
    '[ALPHA] Requests for the document of this server alone.',
    [],
  );
  #made: Made | undefined;

  constructor(options: PeerDiscoveryOptions) {
    this.#options = options;
  }

  /** The groups without those of peers, which only the aggregated form has. */
  groups(): readonly GroupVersions[] {
    return this.#options.own.groups();
  }

  async current(isLocal = false): Promise<TaggedDiscovery> {
    if (isLocal) this.#local.add();
    const own = await this.#options.own.current();
    const peers = this.#options.peers?.();
    if (isLocal || peers === undefined) return own;
    if (this.#made?.own === own && this.#made.peers === peers) {
      this.#hits.add();
      return this.#made.merged;
    }
    this.#misses.add();
    const items = mergeDocuments(this.#options.id, own.list.items, namedGroups(peers));
    const list = items === own.list.items ? own.list : discoveryList(items);
    const merged = list === own.list ? own : { list, etag: discoveryETag(list) };
    this.#made = { own, peers, merged };
    return merged;
  }

  /** Passes all requests on, and counts those for `/api` of this server alone, which the core server answers. */
  counting(next: Handler): Handler {
    return (context) => {
      const { info, exchange } = context;
      if ((info.path === '/api' || info.path === '/api/') && info.verb === 'get') {
        const form = negotiateDiscovery(exchange.headers['accept'] as string | undefined);
        if (form.form === 'aggregated' && form.isLocal) this.#local.add();
      }
      return next(context);
    };
  }

  metrics(): Family[] {
    return [this.#hits, this.#misses, this.#local];
  }
}

/** Without the core group, which `/apis` has not. */
function namedGroups(documents: Documents): Documents {
  return new Map(
    [...documents].map(([id, groups]) => [id, groups.filter(({ metadata: { name = '' } }) => name !== '')]),
  );
}
