/** The size of an entry without its name and value (RFC 7541 section 4.1). */
export const entryOverhead = 32;

interface Sized {
  readonly size: number;
}

/** The entries of one direction, newest first; the oldest is evicted when there is no room (RFC 7541 section 4). */
export class DynamicTable<Entry extends Sized> {
  /** A ring buffer: entry number n is at n modulo its length. */
  #ring = emptyRing<Entry>(16);
  /** Number of entries that were ever added. */
  #added = 0;
  #count = 0;
  #size = 0;
  #capacity: number;
  readonly #onLeave: ((entry: Entry) => void) | undefined;

  constructor(capacity: number, onLeave?: (entry: Entry) => void) {
    this.#capacity = capacity;
    this.#onLeave = onLeave;
  }

  get count(): number {
    return this.#count;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Number of entries that were ever added: entry number n has the index `added - n - 1`. */
  get added(): number {
    return this.#added;
  }

  /** @param index 0 for the newest */
  at(index: number): Entry | undefined {
    return index < this.#count ? this.#ring[(this.#added - 1 - index) % this.#ring.length] : undefined;
  }

  setCapacity(bytes: number): void {
    this.#capacity = bytes;
    this.#makeRoom(0);
  }

  /** Adds an entry. One that is larger than the table empties it and is not kept. @returns whether it was kept */
  add(entry: Entry): boolean {
    this.#makeRoom(entry.size);
    if (entry.size > this.#capacity) return false;
    if (this.#count === this.#ring.length) this.#grow();
    this.#ring[this.#added++ % this.#ring.length] = entry;
    this.#count++;
    this.#size += entry.size;
    return true;
  }

  #makeRoom(bytes: number): void {
    while (this.#count > 0 && this.#size + bytes > this.#capacity) {
      const at = (this.#added - this.#count) % this.#ring.length;
      const entry = this.#ring[at] as Entry;
      this.#ring[at] = undefined;
      this.#count--;
      this.#size -= entry.size;
      this.#onLeave?.(entry);
    }
  }

  #grow(): void {
    const larger = emptyRing<Entry>(this.#ring.length * 2);
    for (let number = this.#added - this.#count; number < this.#added; number++)
      larger[number % larger.length] = this.#ring[number % this.#ring.length];
    this.#ring = larger;
  }
}

function emptyRing<Entry>(length: number): (Entry | undefined)[] {
  return Array.from({ length }, () => undefined);
}
