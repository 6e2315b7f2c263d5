import type { ServerHttp2Stream } from 'node:http2';

/** Requests of one connection that begin in one turn of the event loop, so that each connection gets its turn. */
const streamsATurn = 25;

const ignoreError = (): void => undefined;

interface Waiting {
  readonly stream: ServerHttp2Stream;
  readonly begin: () => void;
}

/**
 * Streams wait here until everything that came in with them was read: what its client has reset by then is never begun.
 * Opening streams and resetting them at once costs a filter or a backend nothing (CVE-2023-44487).
 */
export class StreamQueue {
  readonly #connections = new Set<ConnectionQueue>();
  #scheduled = false;

  /** For the streams of one connection, in their order. */
  connection(): (stream: ServerHttp2Stream, begin: () => void) => void {
    const queue: ConnectionQueue = { waiting: [], next: 0 };
    return (stream, begin) => {
      stream.on('error', ignoreError);
      queue.waiting.push({ stream, begin });
      this.#connections.add(queue);
      this.#schedule();
    };
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      try {
        for (const queue of this.#connections) {
          if (beginSome(queue)) this.#connections.delete(queue);
        }
      } finally {
        // One that fails must not hold up those behind it.
        if (this.#connections.size > 0) this.#schedule();
      }
    });
  }
}

interface ConnectionQueue {
  waiting: Waiting[];
  next: number;
}

/** True when none is left. */
function beginSome(queue: ConnectionQueue): boolean {
  for (let begun = 0; begun < streamsATurn && queue.next < queue.waiting.length; ) {
    const { stream, begin } = queue.waiting[queue.next++] as Waiting;
    if (stream.destroyed || stream.closed || stream.aborted) continue;
    begun++;
    begin();
  }
  if (queue.next < queue.waiting.length) return false;
  queue.waiting = [];
  queue.next = 0;
  return true;
}
