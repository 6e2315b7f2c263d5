import type { Exchange } from '#shared/request/exchange.ts';

const checkMs = 25;

interface Followed {
  readonly exchange: Exchange;
  readonly onUnread: () => void;
  /** Whether bytes waited for the client at the last check. */
  hadUnread: boolean;
}

/** Finds answers whose clients do not read them as fast as they are made. */
export class UnreadAnswers {
  readonly #followed = new Set<Followed>();
  #timer: NodeJS.Timeout | undefined;

  /** Calls the listener when bytes of the answer waited at two checks; perhaps more than once. */
  follow(exchange: Exchange, onUnread: () => void): void {
    exchange.onAnswer(() => {
      if (exchange.closed) return;
      const followed: Followed = { exchange, onUnread, hadUnread: false };
      this.#followed.add(followed);
      this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
      exchange.onClose(() => void this.#followed.delete(followed));
    });
  }

  #check(): void {
    for (const followed of this.#followed) {
      const hasUnread = followed.exchange.queuedBytes > 0;
      if (hasUnread && followed.hadUnread) followed.onUnread();
      followed.hadUnread = hasUnread;
    }
    if (this.#followed.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
