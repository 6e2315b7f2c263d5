import type { Socket } from 'node:net';

/** How often a socket is looked at until it counts as idle. */
const looks = 18;
/** Sockets that are looked at in one turn of the event loop: about a millisecond. */
const mostInTurn = 500;

interface Watched {
  readonly socket: Socket;
  readonly onIdle: () => void;
  movedBytes: number;
  /** Looks since bytes moved. */
  quietLooks: number;
}

/**
 * Tells of sockets on which no byte has moved for a while, and again each time that as long has passed. One timer looks
 * at all of them: with `socket.setTimeout` each read and each write would set a timer anew, which costs a lone request
 * about as much as reading its header fields.
 */
export class IdleWatch {
  readonly #idleMs: number;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  /** Those that the current look has still to reach. */
  #rest: Iterator<Watched> | undefined;

  /**
   * @param idleMs a socket is told of up to an eighteenth later; one with bytes to send after twice the time, since a
   * slow reader may take long for what one write holds
   */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** Watches a socket until it is closed. */
  add(socket: Socket, onIdle: () => void): void {
    const watched: Watched = { socket, onIdle, movedBytes: movedBytes(socket), quietLooks: 0 };
    this.#watched.add(watched);
    socket.once('close', () => this.#remove(watched));
    this.#timer ??= setInterval(() => this.#look(), this.#idleMs / looks).unref();
  }

  #look(): void {
    // The look before may not have come to its end.
    if (this.#rest !== undefined) return;
    this.#rest = this.#watched.values();
    this.#lookOn(this.#rest);
  }

  #lookOn(rest: Iterator<Watched>): void {
    for (let left = mostInTurn; left > 0; left--) {
      const next = rest.next();
      if (next.done === true) {
        this.#rest = undefined;
        return;
      }
      check(next.value);
    }
    setImmediate(() => this.#lookOn(rest));
  }

  #remove(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function check(watched: Watched): void {
  const { socket, onIdle } = watched;
  const moved = movedBytes(socket);
  if (moved !== watched.movedBytes) {
    watched.movedBytes = moved;
    watched.quietLooks = 0;
  } else if (++watched.quietLooks >= (socket.writableLength > 0 ? 2 * looks : looks)) {
    watched.quietLooks = 0;
    onIdle();
  }
}

/** Grows when bytes arrive, and when the system has taken some; those that wait to be sent do not count. */
function movedBytes({ bytesRead, bytesWritten, writableLength }: Socket): number {
  return bytesRead + bytesWritten - writableLength;
}
