import { LRUCache } from 'lru-cache';
import type { Arrival, FairQueue } from './fair-request.ts';
import type { QueueingConfig } from './queue-set-options.ts';
import { dealHand } from './shuffle-sharding.ts';

const maxRemembered = 1_000;

/** Which queues a flow may use. */
export class QueueHands {
  readonly #dealt = new LRUCache<bigint, readonly number[]>({ max: maxRemembered });
  #deckSize = 0;
  #handSize = 0;
  /** Requests so far: hands that overlap are looked at from another card each time. */
  #enqueues = 0;

  configure({ queues, handSize }: QueueingConfig): void {
    if (queues < 1 || (queues === this.#deckSize && handSize === this.#handSize)) return;
    this.#deckSize = queues;
    this.#handSize = handSize;
    this.#dealt.clear();
  }

  /** The queue of the flow's hand with the least work that waits. */
  shortest({ hash = 0n }: Arrival, queues: readonly FairQueue[]): FairQueue {
    const hand = this.#handOf(hash);
    const offset = this.#enqueues++ % hand.length;
    let shortest: FairQueue | undefined;
    for (let i = 0; i < hand.length; i++) {
      const queue = queues[hand[(offset + i) % hand.length] as number] as FairQueue;
      if (shortest === undefined || queue.workWaiting < shortest.workWaiting) shortest = queue;
    }
    return shortest as FairQueue;
  }

  #handOf(hash: bigint): readonly number[] {
    let hand = this.#dealt.get(hash);
    if (hand === undefined) this.#dealt.set(hash, (hand = dealHand(hash, this.#deckSize, this.#handSize)));
    return hand;
  }
}
