import { AsyncLocalStorage } from 'node:async_hooks';

/** One that follows changes in storage. */
export interface Follower {
  /** Whether it follows at all. */
  isReady(): boolean;
  /** Resolves when everything that was stored at the call has been passed on. */
  current(): Promise<void>;
}

/** The followers of one cluster, where a process has those of several. */
export class FollowerScope {
  readonly #followers = new Set<Follower>();

  /** Runs a function whose followers, and those of all that it starts, belong to this scope. */
  run<T>(make: () => T): T {
    return scopes.run(this, make);
  }

  add(follower: Follower): void {
    this.#followers.add(follower);
  }

  remove(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /**
   * Resolves when all that follow have passed on everything that was stored at the call. One that cannot reads the whole
   * state later, and the others do not wait for it.
   */
  async current(): Promise<void> {
    const following = [...this.#followers].filter((follower) => follower.isReady());
    await Promise.allSettled(following.map((follower) => follower.current()));
  }
}

const scopes = new AsyncLocalStorage<FollowerScope>();

/** The scope of what runs now; undefined in processes of one server. */
export function followerScope(): FollowerScope | undefined {
  return scopes.getStore();
}
