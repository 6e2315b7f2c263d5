import { Reconciler } from '#shared/follow/reconciler.ts';
import type { PeerAddress } from './peer-address.ts';
import type { PeerEndpointStore } from './peer-endpoint-store.ts';

const everyMs = 10_000;
const retryMs = 1_000;

export interface AnnouncementOptions {
  readonly endpoints: PeerEndpointStore;
  readonly id: string;
  readonly address: PeerAddress;
  readonly onError: (error: unknown) => void;
}

/** Tells other API servers the address of this one, every ten seconds until it ends. */
export class Announcement {
  readonly #options: AnnouncementOptions;
  readonly #rounds: Reconciler;

  constructor(options: AnnouncementOptions) {
    this.#options = options;
    this.#rounds = new Reconciler({ round: () => this.#round(), everyMs, onError: options.onError });
  }

  /** To be called when the server is ready. */
  start(): void {
    this.#rounds.begin(0);
  }

  /** Ends the announcement, so that peers send no more requests. */
  async close(): Promise<void> {
    await this.#rounds.close();
    const { endpoints, id, onError } = this.#options;
    await endpoints.remove(id).catch(onError);
  }

  async #round(): Promise<number | undefined> {
    const { endpoints, id, address, onError } = this.#options;
    try {
      await endpoints.announce(id, address);
      return undefined;
    } catch (error) {
      onError(error);
      return retryMs;
    }
  }
}
