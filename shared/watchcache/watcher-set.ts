import type { CacheWatcher } from './cache-watcher.ts';
import { WatchGroups } from './watch-groups.ts';

/** Time between unrequested progress reports to all watchers, of which there may be thousands. */
const progressPushMs = 1_000;

/** The watchers of one cache. */
export class WatcherSet {
  readonly groups = new WatchGroups();
  readonly #watchers = new Set<CacheWatcher>();
  readonly #behind = new Set<CacheWatcher>();
  #progressPushedAt = Number.NEGATIVE_INFINITY;

  add(watcher: CacheWatcher): void {
    watcher.group.watchers.add(watcher);
    this.#watchers.add(watcher);
  }

  remove(watcher: CacheWatcher): void {
    this.#watchers.delete(watcher);
    this.#behind.delete(watcher);
    watcher.group.watchers.delete(watcher);
    this.groups.release(watcher.group);
  }

  setBehind(watcher: CacheWatcher, behind: boolean): void {
    if (behind) this.#behind.add(watcher);
    else this.#behind.delete(watcher);
  }

  /** Whether a progress report is due; then the next one is due later. */
  takeProgressTurn(nowMs: number): boolean {
    if (nowMs - this.#progressPushedAt < progressPushMs) return false;
    this.#progressPushedAt = nowMs;
    return true;
  }

  progress(revision: number): void {
    for (const watcher of this.#watchers) watcher.progress(revision);
  }

  /** History has been forgotten, which some may still need. */
  checkOverflow(): void {
    for (const watcher of this.#behind) watcher.checkOverflow();
  }

  close(reason: 'Reset' | 'Stopped'): void {
    for (const watcher of this.#watchers) watcher.close(reason);
  }
}
