import { posix } from 'node:path';
import type { Place } from './call-place.ts';

/** The level of one entry of `--vmodule`, and which files have it. */
export type FileLevel = readonly [pattern: string, level: number];

/**
 * Which lines a process writes: `-v`, which may change while it runs (`/debug/flags/v`), and `--vmodule`, by file.
 */
export class LogLevels {
  readonly #files: readonly FileLevel[];
  readonly #followers: (() => void)[] = [];
  #level: number;

  constructor(level: number, files: readonly FileLevel[] = []) {
    this.#level = level;
    this.#files = files;
  }

  get level(): number {
    return this.#level;
  }

  set level(level: number) {
    this.#level = level;
    for (const follow of this.#followers) follow();
  }

  /** Calls at each change of the level, for as long as the process runs. */
  onChange(follow: () => void): void {
    this.#followers.push(follow);
  }

  /** Whether the place of a call is needed to decide. */
  get asksPlaces(): boolean {
    return this.#files.length > 0;
  }

  /** Whether a file has lines of this level. The first pattern that its name matches decides (klog's vmodule). */
  includes(level: number, place: Place): boolean {
    if (level <= this.level) return true;
    const name = baseName(place.path).replace(/\.ts$/, '');
    const found = this.#files.find(([pattern]) => posix.matchesGlob(name, pattern));
    return found !== undefined && level <= found[1];
  }
}

/** `with-audit.ts` */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
