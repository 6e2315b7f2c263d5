interface Waiter {
  readonly revision: number;
  readonly resolve: () => void;
}

/** Writers that wait until the watchers have received the events of their writes. */
export class WriteWaiters {
  #waiters: Waiter[] = [];

  wait(revision: number): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ revision, resolve }));
  }

  /** Called when the watchers have received every event up to this revision. */
  advance(revision: number): void {
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = waiters.filter((waiter) => waiter.revision > revision);
    for (const waiter of waiters) if (waiter.revision <= revision) waiter.resolve();
  }
}
