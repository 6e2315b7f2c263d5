import type { Exchange } from '#shared/request/exchange.ts';

const checkMs = 25;

/** A request with seats. */
export interface SeatHolder {
  readonly exchange: Pick<Exchange, 'queuedBytes'>;
  /** Whether bytes waited for the client at the last check. */
  hadUnread: boolean;
  /** Others get its seats. */
  giveBack(): void;
}

/** Finds answers whose clients do not read them as fast as they are made, and takes their seats. */
export class UnreadAnswers {
  readonly #holders: () => Iterable<SeatHolder>;
  /** Requests that wait for seats. */
  #waiting = 0;
  /** Whether a request was refused since the last check. */
  #hasRefused = false;
  /** Runs only while seats are wanted. */
  #timer: NodeJS.Timeout | undefined;

  constructor(holders: () => Iterable<SeatHolder>) {
    this.#holders = holders;
  }

  beginWait(): void {
    this.#waiting++;
    this.#begin();
  }

  endWait(): void {
    this.#waiting--;
  }

  noteRefusal(): void {
    this.#hasRefused = true;
    this.#begin();
  }

  #begin(): void {
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
  }

  /** Those whose bytes waited at two checks lose their seats. */
  #check(): void {
    const holders = Array.from(this.#holders());
    for (const holder of holders) {
      const hasUnread = holder.exchange.queuedBytes > 0;
      if (hasUnread && holder.hadUnread) holder.giveBack();
      holder.hadUnread = hasUnread;
    }
    if (this.#waiting === 0 && !this.#hasRefused) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    this.#hasRefused = false;
  }
}
