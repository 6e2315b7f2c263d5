import type { RemoteServer } from '#gateway/remote/remote-server.ts';
import type { APIGroupDiscovery } from '#shared/endpoints/discovery/api-group-discovery.ts';
import { groupDiscovery } from '#shared/endpoints/discovery/api-group-discovery.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';
import { readRemoteDiscovery } from './read-remote-discovery.ts';
import type { RemoteDocument } from './read-remote-discovery.ts';

const refreshMs = 60_000;
const firstRetryMs = 500;
const longestRetryMs = 10_000;

export interface RemoteDiscoveryOptions {
  /** Undefined while the server is not registered. Unavailable servers are included, as in the reference. */
  readonly server: (name: string) => RemoteServer | undefined;
  readonly onChange: () => void;
}

interface Known {
  readonly document: RemoteDocument;
  readonly server: RemoteServer;
}

/** Discovery of the registered servers, read in the background, so that no client waits for a slow server. */
export class RemoteDiscovery {
  readonly #options: RemoteDiscoveryOptions;
  readonly #known = new Map<string, Known>();
  readonly #queue: WorkQueue;

  constructor(options: RemoteDiscoveryOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      name: 'discovery-manager',
      work: (name) => this.#read(name),
      backOff: { firstMs: firstRetryMs, longestMs: longestRetryMs },
      repeatMs: refreshMs,
    });
  }

  /** Reads discovery again after a change of the APIService or its server. */
  refresh(name: string): void {
    this.#queue.add(name);
  }

  /**
   * The server's part of the merged document. As in the reference, a group version that cannot be read is shown Stale
   * and without resources.
   */
  source(
    name: string,
    group: string,
  ): { readonly groups: readonly APIGroupDiscovery[] | undefined; readonly stale: boolean } {
    const document = this.#known.get(name)?.document;
    if (document === undefined) return { groups: undefined, stale: true };
    return { groups: document.version === undefined ? [] : [groupDiscovery(group, [document.version])], stale: false };
  }

  close(): void {
    this.#queue.close();
  }

  async #read(name: string): Promise<void> {
    const server = this.#options.server(name);
    if (server === undefined) {
      this.#set(name, undefined);
      this.#queue.forget(name);
      return;
    }
    const before = this.#known.get(name);
    try {
      const document = await readRemoteDiscovery(server, before?.server === server ? before.document : undefined);
      // The server may have been replaced during the request; its answer is dropped then.
      if (this.#options.server(name) !== server) return this.refresh(name);
      this.#set(name, { document, server });
    } catch (error) {
      this.#set(name, undefined);
      throw error;
    }
  }

  #set(name: string, known: Known | undefined): void {
    const before = this.#known.get(name);
    if (known === undefined) this.#known.delete(name);
    else this.#known.set(name, known);
    if (JSON.stringify(before && [before.document.version]) !== JSON.stringify(known && [known.document.version]))
      this.#options.onChange();
  }
}
