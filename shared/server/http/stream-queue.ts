import { writingTogether } from '#shared/apimachinery/slices/turn-writes.ts';
import type { Http2Stream } from '#shared/http2/server-stream.ts';

/**
 * The most requests of one connection that begin in one turn of the event loop, so that each connection gets its turn.
 */
const streamsATurn = 25;

interface Waiting {
  readonly stream: Http2Stream;
  readonly begin: (stream: Http2Stream) => void;
}

/**
 * Delays streams until all bytes that arrived with them have been read; streams that the client has reset by then never
 * begin. So clients that open streams and reset them at once cause no work in filters or backends (CVE-2023-44487).
 */
export class StreamQueue {
  #connections: ConnectionQueue[] = [];
  #scheduled = false;

  /** Returns a function that queues the streams of one connection in their order. */
  connection(): (stream: Http2Stream, begin: (stream: Http2Stream) => void) => void {
    const queue: ConnectionQueue = { waiting: [], next: 0 };
    return (stream, begin) => {
      if (queue.waiting.push({ stream, begin }) === 1) this.#connections.push(queue);
      this.#schedule();
    };
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(beginNow, this);
  }

  /** Begins the requests of this turn. */
  begin(): void {
    this.#scheduled = false;
    const connections = this.#connections;
    this.#connections = [];
    let at = 0;
    try {
      for (; at < connections.length; at++) {
        const queue = connections[at] as ConnectionQueue;
        if (!beginSome(queue)) this.#connections.push(queue);
      }
    } finally {
      // A stream that fails must not hold up those behind it.
      if (at < connections.length) this.#connections.push(...connections.slice(at));
      if (this.#connections.length > 0) this.#schedule();
    }
  }
}

/** What they send on leaves with the end of the turn, which is now. */
function beginNow(queue: StreamQueue): void {
  writingTogether(beginTurn, queue);
}

function beginTurn(queue: StreamQueue): void {
  queue.begin();
}

interface ConnectionQueue {
  waiting: Waiting[];
  next: number;
}

/** Begins the next streams of a connection; true if none is left. */
function beginSome(queue: ConnectionQueue): boolean {
  for (let begun = 0; begun < streamsATurn && queue.next < queue.waiting.length;) {
    const { stream, begin } = queue.waiting[queue.next++] as Waiting;
    if (stream.closed) continue;
    begun++;
    begin(stream);
  }
  if (queue.next < queue.waiting.length) return false;
  queue.waiting = [];
  queue.next = 0;
  return true;
}
