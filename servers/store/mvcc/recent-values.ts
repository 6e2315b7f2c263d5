import type { KeyEntry } from './key-entry.ts';

/**
 * Keeps the stored forms of the latest writes in memory, up to a number of bytes; the oldest write is dropped first.
 * Writes that are not on the disk yet are always kept, as they can be read nowhere else.
 */
export class RecentValues {
  readonly #maxBytes: number;
  #queue: { entry: KeyEntry; id: number; size: number }[] = [];
  #head = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(entry: KeyEntry, bytes: Buffer): void {
    entry.bytes = bytes;
    this.#queue.push({ entry, id: entry.id, size: bytes.length });
    this.#bytes += bytes.length;
  }

  /** Drops the oldest values above the limit. @param durableId id of the last row that is on the disk */
  trim(durableId: number): void {
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#queue[this.#head];
      if (oldest === undefined || oldest.id > durableId) break;
      if (oldest.entry.id === oldest.id) oldest.entry.bytes = undefined;
      this.#bytes -= oldest.size;
      this.#head++;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
  }
}
