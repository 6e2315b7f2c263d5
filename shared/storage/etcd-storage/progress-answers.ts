/** What the stream knows of a watch when answers to progress requests arrive. */
export interface WatchStart {
  /** The number of progress requests that were written before the request to create the watch. */
  readonly askedBefore: number;
  /** The number of progress requests that were written before its confirmation arrived. */
  readonly askedUntil: number;
  /** The revision of the store when the watch had begun, from the confirmation. */
  readonly revision: number;
}

/**
 * Tells which watches of a stream an answer to a progress request is about.
 *
 * etcd computes an answer for the watches that exist at that moment, and sends it by another queue than confirmations
 * of new watches (etcd server/etcdserver/api/v3rpc/watch.go, sendLoop). An answer that arrives behind a confirmation
 * may therefore be older than the watch, whose first events then follow it. It covers the watch for certain if its
 * revision is above that of the confirmation, or if every request that was written before the confirmation has had
 * its answer. etcd drops the requests that it reads while a watch is behind, so their number is known as an upper
 * bound only.
 */
export class ProgressAnswers {
  #asked = 0;
  /** Requests whose answers have arrived or cannot arrive any more. */
  #settled = 0;

  get asked(): number {
    return this.#asked;
  }

  ask(): void {
    this.#asked++;
  }

  /** An answer has arrived. Call it once for each, before `covers`. */
  receive(): void {
    this.#settled++;
  }

  /** Whether the answer that was received last, with this revision, is about the watch. */
  covers(start: WatchStart, revision: number): boolean {
    if (revision > start.revision) {
      // Requests from before the watch were handled at its revision at the latest: this answer belongs to a later one.
      this.#settled = Math.max(this.#settled, start.askedBefore + 1);
      return true;
    }
    return this.#settled > start.askedUntil;
  }
}
