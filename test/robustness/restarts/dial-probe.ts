import { connect } from 'node:net';

const everyMs = 5;

/** Dials a port again and again, as many clients would. */
export class DialProbe {
  readonly #port: number;
  readonly #timer: NodeJS.Timeout;
  /** When a dial first succeeded. */
  acceptedAt: number | undefined;
  /** Dials that were refused after one had succeeded. */
  refusedAfter = 0;

  constructor(port: number) {
    this.#port = port;
    this.#timer = setInterval(() => this.#dial(), everyMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #dial(): void {
    const dialedAt = Date.now();
    const socket = connect(this.#port, '127.0.0.1', () => {
      this.acceptedAt ??= Date.now();
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && this.acceptedAt !== undefined && dialedAt > this.acceptedAt)
        this.refusedAfter += 1;
    });
  }
}
