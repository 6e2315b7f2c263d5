/** Gathers what is to be written to a connection. */
export interface GatheringWriter {
  /** Writes what was gathered. Must not throw. */
  flush(): void;
}

let waiting: GatheringWriter[] = [];
let isTogether = false;
let isScheduled = false;

/**
 * Has the writer flush once everything that happens now was handled: with the end of the running
 * {@link writingTogether}, or else of the turn of the event loop.
 */
export function flushLater(writer: GatheringWriter): void {
  waiting.push(writer);
  if (isTogether || isScheduled) return;
  isScheduled = true;
  setImmediate(flushTurn);
}

/**
 * Handles something that arrived, and then writes at once what writers gathered meanwhile. For code that knows that
 * nothing else arrived with it: waiting for the end of the turn takes a lone request another call from the event loop
 * into JavaScript, and after TLS writes one more poll.
 */
export function writingTogether<Given>(handle: (given: Given) => void, given: Given): void {
  if (isTogether) return handle(given);
  isTogether = true;
  try {
    handle(given);
  } finally {
    isTogether = false;
    flushWaiting();
  }
}

function flushTurn(): void {
  isScheduled = false;
  flushWaiting();
}

function flushWaiting(): void {
  const writers = waiting;
  if (writers.length === 0) return;
  waiting = [];
  for (const writer of writers) writer.flush();
}
