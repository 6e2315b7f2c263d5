import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { residentBytes } from '#shared/observability/resident-bytes.ts';
import { allocatorTrim, type AllocatorTrim } from './allocator-trim.ts';

const mebibyte = 1024 * 1024;
const lookEveryMs = 10_000;
/** Growth over the least memory since the last collection that is worth one. */
const worthwhileBytes = 16 * mebibyte;
const worthwhileShare = 0.2;
/** A busy process collects its heap itself, and needs the room again at once. */
const maxUtilization = 0.3;
/**
 * Collections in a row. Each moves few of the objects that remain, so that it holds the event loop for a short time
 * only: pages that hold few of them are given back after the second or third. The last comes when watch caches have
 * forgotten what large objects were before (shared/watchcache/change-ring.ts).
 */
const collectionsInRow = 4;
/** V8 begins to mark the whole heap when buffers grew by 64 MiB. */
const pressureBytes = 66 * mebibyte;

/** What {@link MemoryReturn} knows of its process, and what it can do. */
export interface MemoryProbe {
  /** Resident memory of the process; undefined if it cannot be read. */
  readonly residentBytes: () => number | undefined;
  /** Share of the time since the last call in which the event loop was busy, 0 to 1. */
  readonly utilization: () => number;
  /** Begins a collection of the whole heap, and does not wait for it. */
  readonly collect: () => void;
  /** Gives back what the collections before have freed outside of the heap. */
  readonly trim: () => void;
}

/**
 * Gives memory back that large requests have left behind. V8 collects its whole heap once enough was allocated. After
 * a large request that is far away, and the heap stays large for as long as small requests keep the process from being
 * idle, up to 100 s. So a process that has grown and has little to do has its heap collected, and what that frees
 * outside of the heap, such as buffers, is given back, too.
 */
export class MemoryReturn {
  readonly #probe: MemoryProbe;
  #leastBytes = Number.POSITIVE_INFINITY;
  #collectionsLeft = 0;
  #trimIsDue = false;

  constructor(probe: MemoryProbe) {
    this.#probe = probe;
  }

  /** To be called at intervals that are long enough for a collection. */
  look(): void {
    const bytes = this.#probe.residentBytes();
    if (bytes === undefined) return;
    const quiet = this.#probe.utilization() < maxUtilization;
    this.#leastBytes = Math.min(this.#leastBytes, bytes);
    if (bytes - this.#leastBytes > Math.max(worthwhileBytes, this.#leastBytes * worthwhileShare))
      this.#collectionsLeft = collectionsInRow;
    if (!quiet) return;
    if (this.#trimIsDue) this.#probe.trim();
    this.#trimIsDue = this.#collectionsLeft > 0;
    if (this.#collectionsLeft === 0) return;
    this.#collectionsLeft--;
    // What remains is in use, and no reason for another row.
    this.#leastBytes = Number.POSITIVE_INFINITY;
    this.#probe.collect();
  }
}

/**
 * Begins to mark the heap in small steps beside other work: a buffer that is never touched, and so takes no memory,
 * counts as a reason for it. The end of a collection holds the event loop all the same, up to some tens of ms in a heap
 * of much garbage; `gc()` would hold it for the marking, too.
 */
export function collectBySteps(): void {
  // eslint-disable-next-line no-new -- it is made to be counted
  new ArrayBuffer(pressureBytes);
}

/** Gives memory of this process back for as long as it runs. */
export function returnMemory(): void {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  // Opened at its first use: it has nothing to do at start-up.
  let trim: AllocatorTrim | undefined;
  const memory = new MemoryReturn({
    residentBytes,
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    collect: collectBySteps,
    trim: () => (trim ??= allocatorTrim() ?? (() => undefined))(),
  });
  setInterval(() => memory.look(), lookEveryMs).unref();
}
