import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

const [mountProgram, unmountProgram] = ['mount', 'umount'];
const attempts = 20;
const usualBytes = 1024 * 1024 * 1024;

/** A file system of its own for the store, which can be made full and roomy again. Needs the right to mount. */
export class LimitedDisk {
  readonly path: string;

  /** Undefined where mounting is not allowed. */
  static mount(path: string): LimitedDisk | undefined {
    mkdirSync(path, { recursive: true });
    try {
      execFileSync(mountProgram, ['-t', 'tmpfs', '-o', `size=${usualBytes},mode=700`, 'robustness', path], {
        stdio: 'pipe',
      });
      return new LimitedDisk(path);
    } catch {
      return undefined;
    }
  }

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Leaves room for so many bytes more. What is written meanwhile may take it, and a disk that is smaller than what it
   * holds is refused.
   */
  fill(roomBytes: number): void {
    for (let left = attempts; ; left--) {
      const { blocks, bfree, bsize } = statfsSync(this.path);
      try {
        return this.#resize((blocks - bfree) * bsize + roomBytes);
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  }

  empty(): void {
    this.#resize(usualBytes);
  }

  unmount(): void {
    execFileSync(unmountProgram, [this.path], { stdio: 'pipe' });
  }

  #resize(bytes: number): void {
    execFileSync(mountProgram, ['-o', `remount,size=${Math.max(bytes, 4096)}`, this.path], { stdio: 'pipe' });
  }
}
