import { AsyncLocalStorage } from 'node:async_hooks';

/** One that follows changes in storage. */
export interface Follower {
  /** Whether it follows at all. */
  isReady(): boolean;
  /** Resolves when everything that was stored at the call has been passed on. */
  current(): Promise<void>;
}

/** Work in the background that decides by what followers know. */
export interface PausableWork {
  /** Resolves when none of it is under way; none begins before {@link resume}. */
  pause(): Promise<void>;
  resume(): void;
}

/** The followers of one cluster, where a process has those of several. */
export class FollowerScope {
  readonly #followers = new Set<Follower>();
  readonly #works = new Set<PausableWork>();

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

  addWork(work: PausableWork): void {
    this.#works.add(work);
  }

  removeWork(work: PausableWork): void {
    this.#works.delete(work);
  }

  /** Changes the past while no work of the scope is under way: its decisions would be those of before. */
  async undisturbed<T>(change: () => Promise<T>): Promise<T> {
    const works = [...this.#works];
    await Promise.all(works.map((work) => work.pause()));
    try {
      return await change();
    } finally {
      for (const work of works) work.resume();
    }
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
