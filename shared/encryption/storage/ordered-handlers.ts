import type { StorageError, StorageEvent, StorageWatchHandlers } from '#shared/storage/storage.ts';
import { mapInOrder } from './in-order.ts';
import type { ValueCipher } from './value-cipher.ts';

/**
 * Decrypts the events of a watch. Events, progress and errors reach the receiver in the order in which they came, also
 * while the decryption of some has to wait, and at once while nothing waits.
 */
export class OrderedHandlers implements StorageWatchHandlers {
  readonly #cipher: ValueCipher;
  readonly #receiver: StorageWatchHandlers;
  /** Ends when all that came so far was delivered; undefined while nothing waits. */
  #waiting: Promise<void> | undefined;
  #closed = false;

  constructor(cipher: ValueCipher, receiver: StorageWatchHandlers) {
    this.#cipher = cipher;
    this.#receiver = receiver;
  }

  onEvents(events: readonly StorageEvent[], revision: number): void {
    this.#inTurn(() => {
      const revealed = mapInOrder(events, (event) => this.#cipher.revealEvent(event));
      const deliver = (delivered: readonly StorageEvent[]): void => {
        if (!this.#closed) this.#receiver.onEvents(delivered, revision);
      };
      return revealed instanceof Promise ? revealed.then(deliver) : deliver(revealed);
    });
  }

  onProgress(revision: number): void {
    this.#inTurn(() => this.#receiver.onProgress(revision));
  }

  onError(error: StorageError): void {
    this.#inTurn(() => this.#receiver.onError(error));
  }

  close(): void {
    this.#closed = true;
  }

  #inTurn(step: () => void | Promise<void>): void {
    if (this.#closed) return;
    const now = this.#waiting === undefined ? step() : this.#waiting.then(() => (this.#closed ? undefined : step()));
    if (now === undefined) return;
    const waiting = now.then(() => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    });
    this.#waiting = waiting;
  }
}
