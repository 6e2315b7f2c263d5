import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';

/**
 * A connection that is fed by hand and takes all that is written to it at once: nothing of it is left to a later turn.
 */
export class FedSocket extends EventEmitter {
  destroyed = false;
  writable = true;
  writableFinished = false;
  readableEnded = false;
  isPaused = false;
  /** Everything that was written. */
  readonly written: Buffer[] = [];

  write(bytes: Uint8Array): boolean {
    this.written.push(Buffer.from(bytes));
    return true;
  }

  end(done?: () => void): this {
    this.writable = false;
    this.writableFinished = true;
    done?.();
    return this;
  }

  destroy(): this {
    if (!this.destroyed) {
      this.destroyed = true;
      this.writable = false;
      this.emit('close');
    }
    return this;
  }

  pause(): this {
    this.isPaused = true;
    return this;
  }

  resume(): this {
    this.isPaused = false;
    return this;
  }

  cork(): void {
    /* What is written goes at once. */
  }
  uncork(): void {
    /* The same. */
  }
  _write(): void {
    /* Nobody calls it: `write` is its own. */
  }

  get asDuplex(): Duplex {
    return this as unknown as Duplex;
  }
}
