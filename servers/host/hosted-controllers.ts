import type { RunningControllers } from '#servers/controllers/start-controllers.ts';
import { startControllersFor } from '#servers/controllers/start-process.ts';
import type { RunningStore } from '#servers/store/start/start-store.ts';
import type { ProcessOptions } from '#shared/process/data-directory.ts';
import { chosenControllers } from '#shared/server/options/controller-flags.ts';
import { collectedKind } from './collected-kind.ts';

/**
 * The controllers of one cluster. Its garbage collector follows nothing before the store has an object that concerns
 * it, and then the resources of such objects and of their owners: a watch of every resource, with its cache, would cost
 * each cluster more than all else that it does.
 */
export class HostedControllers {
  readonly #process: ProcessOptions;
  readonly #kinds = new Map<string, { readonly apiVersion: string; readonly kind: string }>();
  readonly #stopListening: () => void;
  #followsAll: boolean;
  #running: RunningControllers | undefined;

  /** Listens to the store from now on. */
  constructor(process: ProcessOptions, store: RunningStore) {
    this.#process = process;
    const { etcdServers, etcdServersOverrides } = process.server;
    // The store does not see what is written there.
    this.#followsAll = etcdServers.length > 0 || etcdServersOverrides.length > 0;
    const isCollecting = chosenControllers(process.server.controllers).includes('garbage-collector-controller');
    this.#stopListening = isCollecting ? store.onValues((value) => this.#take(value)) : () => undefined;
  }

  /** Starts them, once the API is ready. */
  start(): void {
    if (chosenControllers(this.#process.server.controllers).length === 0) return;
    this.#running = startControllersFor(this.#process, { followsAll: this.#followsAll });
    for (const { apiVersion, kind } of this.#kinds.values()) this.#running.followKind(apiVersion, kind);
  }

  /** Resolves when the namespaces that were there at the start have what every namespace has to have. */
  async settled(): Promise<void> {
    await this.#running?.settled;
  }

  /** Does what changes the past of the store while no controller writes what it decided on before. */
  async undisturbed<T>(work: () => Promise<T>): Promise<T> {
    await this.#running?.turns.pause();
    try {
      return await work();
    } finally {
      this.#running?.turns.resume();
    }
  }

  close(): void {
    this.#stopListening();
    this.#running?.close();
  }

  #take(value: Buffer): void {
    if (this.#followsAll) return;
    const found = collectedKind(value);
    if (found === undefined) return;
    if (found === 'unknown') {
      this.#followsAll = true;
      this.#running?.followAll();
      return;
    }
    const key = JSON.stringify([found.apiVersion, found.kind]);
    if (this.#kinds.has(key)) return;
    this.#kinds.set(key, found);
    this.#running?.followKind(found.apiVersion, found.kind);
  }
}
