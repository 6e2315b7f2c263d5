import { Reconciler } from '#shared/follow/reconciler.ts';
import type { SendToCore } from './identity-lease.ts';
import { addAddress, removeAddress, type ApiServerAddress } from './service-addresses.ts';

const everyMs = 10_000;

export interface MasterCountOptions {
  readonly address: ApiServerAddress;
  /** How many API servers there are (`--apiserver-count`). */
  readonly count: number;
  readonly send: SendToCore;
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps an API server's address in the endpoints of the `kubernetes` Service, without leases: where a server ends
 * without removing it, it stays until another server takes its place.
 */
export class MasterCount {
  readonly #options: MasterCountOptions;
  readonly #rounds: Reconciler;

  constructor(options: MasterCountOptions) {
    const { send, address, count, onError } = options;
    this.#options = options;
    this.#rounds = new Reconciler({ round: () => addAddress(send, address, count), everyMs, onError });
  }

  start(): void {
    this.#rounds.begin(0);
  }

  async stop(): Promise<void> {
    await this.#rounds.close();
    await removeAddress(this.#options.send, this.#options.address);
  }
}
