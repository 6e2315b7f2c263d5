import type { Exchange } from '#shared/request/exchange.ts';

const checkMs = 25;

/** An answer that is followed. */
export interface FollowedAnswer {
  readonly exchange: Exchange;
}

interface Followed extends FollowedAnswer {
  readonly onUnread: () => void;
  /** Whether bytes waited for the client at the last check. */
  hadUnread: boolean;
  isForgotten: boolean;
}

/** Finds answers whose clients do not read them as fast as they are made. */
export class UnreadAnswers {
  readonly #followed = new Set<Followed>();
  /** Requests that wait for seats. */
  #waiting = 0;
  /** Whether a request was refused since the last check. */
  #hasRefused = false;
  /** Runs only while seats are wanted. */
  #timer: NodeJS.Timeout | undefined;

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

  /** Calls the listener when bytes of the answer waited at two checks while seats are wanted; perhaps more than once. */
  follow(exchange: Exchange, onUnread: () => void): FollowedAnswer {
    const followed: Followed = { exchange, onUnread, hadUnread: false, isForgotten: false };
    exchange.onAnswer(() => {
      if (exchange.closed || followed.isForgotten) return;
      this.#followed.add(followed);
      exchange.onClose(() => void this.#followed.delete(followed));
    });
    return followed;
  }

  forget(answer: FollowedAnswer): void {
    const followed = answer as Followed;
    followed.isForgotten = true;
    this.#followed.delete(followed);
  }

  #begin(): void {
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
  }

  #check(): void {
    for (const followed of this.#followed) {
      const hasUnread = followed.exchange.queuedBytes > 0;
      if (hasUnread && followed.hadUnread) followed.onUnread();
      followed.hadUnread = hasUnread;
    }
    if (this.#waiting === 0 && !this.#hasRefused) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    this.#hasRefused = false;
  }
}
