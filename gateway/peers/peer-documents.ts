import { pauseAfter } from '#shared/follow/back-off.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { PeerEndpointStore } from './peer-endpoint-store.ts';
import type { PeerMetrics } from './peer-metrics.ts';
import type { PeerServers } from './peer-servers.ts';
import { readPeer, type PeerDocument } from './read-peer.ts';

const backOff = { firstMs: 250, longestMs: 30_000 };
const settleMs = 20;
/** Peers that are read at a time. */
const concurrency = 4;

export interface PeerDocumentsOptions {
  /** The ids of the peers. */
  readonly ids: () => Iterable<string>;
  readonly endpoints: PeerEndpointStore;
  readonly servers: PeerServers;
  readonly metrics: PeerMetrics;
  /** Called after each round. */
  readonly onRead: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The discovery of all peers, read again when one comes, goes or starts again. A peer that cannot be read is left out,
 * and all are read again after growing pauses (apiserver/pkg/util/peerproxy/peer_discovery.go).
 */
export class PeerDocuments {
  readonly #options: PeerDocumentsOptions;
  readonly #rounds: Reconciler;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #byId: ReadonlyMap<string, PeerDocument> = new Map();

  constructor(options: PeerDocumentsOptions) {
    this.#options = options;
    this.#rounds = new Reconciler({ round: () => this.#round(), settleMs, onError: options.onError });
  }

  get byId(): ReadonlyMap<string, PeerDocument> {
    return this.#byId;
  }

  /** Reads soon. */
  request(): void {
    this.#rounds.request();
  }

  /** Reads now; resolves when all peers have been asked. */
  read(): Promise<void> {
    return this.#rounds.run();
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    await this.#rounds.close();
    clearTimeout(this.#retry);
  }

  async #round(): Promise<void> {
    clearTimeout(this.#retry);
    const found = new Map<string, PeerDocument>();
    const addresses = new Set<string>();
    const waiting = [...this.#options.ids()].sort();
    let isComplete = true;
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const address = await this.#address(id);
        if (address === undefined) {
          isComplete = false;
          continue;
        }
        addresses.add(address);
        const { document, failed } = await this.#document(address);
        if (failed) isComplete = false;
        if (document.length > 0) found.set(id, document);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    this.#byId = found;
    this.#options.servers.keep(addresses);
    this.#options.onRead();
    this.#failures = isComplete ? 0 : this.#failures + 1;
    if (!isComplete) this.#retry = setTimeout(() => this.request(), pauseAfter(this.#failures, backOff)).unref();
  }

  async #address(id: string): Promise<string | undefined> {
    const { endpoints, metrics, onError } = this.#options;
    const address = await endpoints.find(id).catch(onError);
    if (address === undefined) metrics.notSynced('hostport_resolution');
    return address ?? undefined;
  }

  async #document(address: string): Promise<{ readonly document: PeerDocument; readonly failed: boolean }> {
    const { servers, metrics, onError } = this.#options;
    let failed = false;
    const document = await readPeer(
      servers.at(address),
      (status) => metrics.answered(status),
      (error) => {
        failed = true;
        metrics.notSynced('fetch_discovery');
        onError(error);
      },
    );
    return { document, failed };
  }
}
