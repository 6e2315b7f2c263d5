import { setTimeout as sleep } from 'node:timers/promises';
import type { CurrentRoutes } from '#gateway/proxy/current-routes.ts';
import { forwardRemote } from '#gateway/remote/forward-remote.ts';
import { newServiceUnavailable } from '#shared/apimachinery/errors/status.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import type { WatchCache } from '#shared/watchcache/watch-cache.ts';
import { ExcludedVersions } from './excluded-versions.ts';
import { PeerDocuments } from './peer-documents.ts';
import type { PeerEndpointStore } from './peer-endpoint-store.ts';
import { PeerIdentities } from './peer-identities.ts';
import { PeerMetrics } from './peer-metrics.ts';
import { resourceKey, resourcesOfPeersOnly, withoutExcluded, type LocalResources } from './peer-resources.ts';
import { proxiedHeader, type PeerServers } from './peer-servers.ts';
import type { PeerDocument } from './read-peer.ts';

/** The reference gets ready without its peers; here it waits for those that answer at once. */
const firstReadMs = 500;
const localRetryMs = 1_000;
const localEveryMs = 30 * 60_000;
/** Definitions change in bursts, and their resources are never taken from peers. */
const localSettleMs = 1_000;

export interface PeersOptions {
  /** The id of this server. */
  readonly id: string;
  readonly leases: WatchCache;
  readonly endpoints: PeerEndpointStore;
  readonly servers: PeerServers;
  readonly routes: CurrentRoutes;
  readonly readLocal: () => Promise<LocalResources>;
  readonly onError: (message: string, error: unknown) => void;
  /** How long the start waits for peers at most. Default: {@link firstReadMs}. */
  readonly firstReadMs?: number;
}

/**
 * The API servers of other versions or settings on the same etcd (KEP-4020). Requests for resources that only they
 * serve go to one of them.
 */
export class Peers {
  readonly metrics = new PeerMetrics();
  readonly #options: PeersOptions;
  readonly #identities: PeerIdentities;
  readonly #documents: PeerDocuments;
  readonly #excluded: ExcludedVersions;
  readonly #localRounds: Reconciler;
  readonly #localRead = Promise.withResolvers<void>();
  #local: LocalResources | undefined;
  #filtered: ReadonlyMap<string, PeerDocument> = new Map();
  #onlyThere: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(options: PeersOptions) {
    this.#options = options;
    const { id, leases, endpoints, servers, routes, onError } = options;
    this.#identities = new PeerIdentities(leases, id, () => this.#documents.request());
    this.#documents = new PeerDocuments({
      ids: () => this.#identities.ids,
      endpoints,
      servers,
      metrics: this.metrics,
      onRead: () => this.#filter(),
      onError: (error) => onError('the discovery of a peer cannot be read; trying again', error),
    });
    this.#excluded = new ExcludedVersions(() => this.#filter());
    this.#localRounds = new Reconciler({
      round: () => this.#readLocal(),
      everyMs: localRetryMs,
      settleMs: localSettleMs,
      onError: (error) => onError('the own discovery cannot be read; trying again', error),
    });
    routes.onChange(() => this.#routesChanged());
  }

  /** By the server's id: what each peer serves, without group versions of definitions and registered servers. */
  get documents(): ReadonlyMap<string, PeerDocument> {
    return this.#filtered;
  }

  /** Resolves when the own resources are known. */
  async startLocal(): Promise<void> {
    this.#excluded.update(this.#options.routes.table.routes());
    this.#localRounds.begin(0);
    await this.#localRead.promise;
  }

  /** Resolves when all peers have been asked once, or when those that hang have had their time. */
  async startPeers(): Promise<void> {
    await this.#options.servers.start();
    await this.#identities.ready;
    await Promise.race([
      this.#documents.read(),
      sleep(this.#options.firstReadMs ?? firstReadMs, undefined, { ref: false }),
    ]);
  }

  /** Resolves when the Leases of the servers were read, and the own resources. */
  async synced(): Promise<void> {
    this.#identities.start();
    await Promise.all([this.#identities.ready, this.#localRead.promise]);
  }

  /** Sends requests for resources that only peers serve to one of them; all others, and those of peers, to `next`. */
  filter(next: Handler): Handler {
    return (context) => {
      const { info, exchange } = context;
      if (this.#onlyThere.size === 0 || !info.isResourceRequest) return next(context);
      const ids = this.#onlyThere.get(resourceKey(info.apiGroup, info.apiVersion, info.resource));
      return ids === undefined || exchange.headers[proxiedHeader] === 'true'
        ? next(context)
        : this.#forward(context, ids);
    };
  }

  async close(): Promise<void> {
    this.#identities.close();
    this.#excluded.close();
    await Promise.all([this.#documents.close(), this.#localRounds.close()]);
    this.#options.servers.close();
  }

  async #forward(context: RequestContext, ids: readonly string[]): Promise<void> {
    const { endpoints, servers } = this.#options;
    const found = await Promise.all(ids.map((id) => endpoints.find(id).catch(() => undefined)));
    const address = servers.choose(found.filter((one) => one !== undefined));
    if (address === undefined) {
      this.metrics.unresolved(context.info);
      throw newServiceUnavailable('Error getting ip and port info of the remote server while proxying');
    }
    await forwardRemote(context, servers.at(address));
    this.metrics.answered(context.exchange.statusCode, context.info);
  }

  #routesChanged(): void {
    this.#excluded.update(this.#options.routes.table.routes());
    this.#localRounds.request();
  }

  async #readLocal(): Promise<number> {
    this.#local = await this.#options.readLocal();
    this.#localRead.resolve();
    this.#compare();
    return this.#local.unknown.size > 0 ? localRetryMs : localEveryMs;
  }

  #filter(): void {
    this.#filtered = new Map(
      [...this.#documents.byId].map(([id, document]) => [id, withoutExcluded(document, this.#excluded)]),
    );
    this.#compare();
  }

  #compare(): void {
    if (this.#local !== undefined) this.#onlyThere = resourcesOfPeersOnly(this.#filtered, this.#local);
  }
}
