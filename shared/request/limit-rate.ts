import type { Buffer } from 'node:buffer';
import { Duplex } from 'node:stream';
import { DirectReads } from './direct-reads.ts';
import type { UpgradedConnection } from './join-connections.ts';

/** Bytes are counted in windows of this length, as in the reference (mxk/go-flowrate). */
const windowMs = 100;
/** What a connection holds that the other side has not taken yet. */
const heldBytes = 16 * 1024;

/**
 * Limits how many bytes a second a connection takes and gives, each for itself; 0 does not limit it. What is above the
 * limit stays unread, so that the peer waits.
 */
export function limitRate(connection: UpgradedConnection, bytesPerSecond: number): UpgradedConnection {
  if (bytesPerSecond <= 0) return connection;
  const { response, socket, head } = connection;
  return { response, socket: new LimitedConnection(socket, bytesPerSecond), head, reads: new DirectReads() };
}

class LimitedConnection extends Duplex {
  readonly #inner: Duplex;
  readonly #given: RateWindow;
  readonly #taken: RateWindow;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The reader wants more. */
  #wanted = false;
  #isWaiting = false;
  #hasEnded = false;

  constructor(inner: Duplex, bytesPerSecond: number) {
    super({ allowHalfOpen: true, highWaterMark: heldBytes });
    this.#inner = inner;
    [this.#given, this.#taken] = [new RateWindow(bytesPerSecond), new RateWindow(bytesPerSecond)];
    inner.on('readable', () => this.#give());
    inner.on('end', () => {
      this.#hasEnded = true;
      this.push(null);
    });
    inner.on('error', (error) => this.destroy(error));
    inner.on('close', () => {
      // What it gave before its end may still be unread here.
      if (this.#hasEnded && !this.readableEnded) this.once('end', () => this.destroy());
      else this.destroy();
    });
  }

  override _read(): void {
    this.#wanted = true;
    this.#give();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const length = this.#taken.take(chunk.length);
    if (length === 0) {
      this.#later(this.#taken, () => this._write(chunk, _encoding, done));
      return;
    }
    this.#inner.write(chunk.subarray(0, length), (error) => {
      if (error === undefined || error === null) {
        if (length === chunk.length) done();
        else this._write(chunk.subarray(length), _encoding, done);
      } else done(error);
    });
  }

  override _final(done: () => void): void {
    this.#inner.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#inner.destroy();
    done(error);
  }

  /** Passes on what may be read in this window. */
  #give(): void {
    while (this.#wanted && !this.#isWaiting && this.#inner.readableLength > 0) {
      const length = this.#given.take(this.#inner.readableLength);
      if (length === 0) {
        this.#isWaiting = true;
        this.#later(this.#given, () => {
          this.#isWaiting = false;
          this.#give();
        });
        return;
      }
      const chunk = this.#inner.read(length) as Buffer | null;
      if (chunk !== null) this.#wanted = this.push(chunk);
    }
    // Asks for more of an empty connection, and for its end.
    if (this.#wanted && this.#inner.readableLength === 0) this.#inner.read(0);
  }

  #later(window: RateWindow, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, window.waitMs);
    this.#timers.add(timer);
  }
}

/** Hands out a part of the bytes of a second in each window. */
class RateWindow {
  readonly #most: number;
  #begunMs = performance.now();
  #used = 0;

  constructor(bytesPerSecond: number) {
    this.#most = Math.max(1, Math.round((bytesPerSecond * windowMs) / 1000));
  }

  /** How many of so many bytes may pass now; they are counted. */
  take(wanted: number): number {
    const now = performance.now();
    if (now - this.#begunMs >= windowMs) [this.#begunMs, this.#used] = [now, 0];
    const length = Math.min(wanted, this.#most - this.#used);
    this.#used += length;
    return length;
  }

  /** Until the next window. */
  get waitMs(): number {
    return Math.max(1, Math.ceil(this.#begunMs + windowMs - performance.now()));
  }
}
