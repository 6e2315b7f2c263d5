import { DynamicTable, entryOverhead } from './dynamic-table.ts';
import { staticNames, staticPairs } from './static-table.ts';

interface Entry {
  readonly name: string;
  readonly value: string;
  readonly size: number;
  readonly number: number;
}

/** Fields whose values hardly ever repeat. */
const changing: ReadonlySet<string> = new Set([
  ':path',
  'audit-id',
  'content-length',
  'etag',
  'last-modified',
  'location',
  'warning',
]);

/** Longer values would evict most others from the table. */
const longestKept = 512;
/** The index of the newest entry of the dynamic table: the one after the static table's last. */
const firstOfTable = 62;
/** Largest table that is used, even if a client allows a larger one. */
const maxTableBytes = 4096;

/**
 * Encodes header blocks (RFC 7541), without Huffman coding: repeated fields take one byte, and the others are small
 * compared to the body.
 */
export class HeaderEncoder {
  /** The number of the table's entry for a name and value. */
  readonly #known = new Map<string, Map<string, number>>();
  readonly #table = new DynamicTable<Entry>(maxTableBytes, (entry) => this.#forget(entry));
  #bytes: Buffer = Buffer.allocUnsafe(1024);
  #at = 0;
  /** Table sizes that the next block has to signal. */
  #resizes: number[] = [];

  /** The client's SETTINGS_HEADER_TABLE_SIZE. */
  setTableSize(bytes: number): void {
    const capacity = Math.min(bytes, maxTableBytes);
    if (capacity === this.#table.capacity) return;
    this.#table.setCapacity(capacity);
    // Of several changes the smallest must be signalled as well (RFC 7541 section 4.2).
    this.#resizes = this.#resizes.length === 0 ? [capacity] : [Math.min(...this.#resizes, capacity), capacity];
  }

  begin(): void {
    this.#at = 0;
    for (const size of this.#resizes) this.#integer(0x20, 5, size);
    this.#resizes = [];
  }

  /** @param name in lower case @param value one byte a character */
  field(name: string, value: string): void {
    if (!this.known(name, value)) this.#literal(name, value);
  }

  /** Writes a field of one of the tables. @returns false if neither has it, and nothing was written */
  known(name: string, value: string): boolean {
    const number = this.#known.get(name)?.get(value);
    const index = number === undefined ? staticPairs.get(name)?.get(value) : this.#indexOf(number);
    if (index === undefined) return false;
    this.#integer(0x80, 7, index);
    return true;
  }

  #literal(name: string, value: string): void {
    const nameIndex = staticNames.get(name) ?? 0;
    const isKept = !changing.has(name) && value.length <= longestKept;
    if (isKept) this.#integer(0x40, 6, nameIndex);
    else this.#integer(0, 4, nameIndex);
    if (nameIndex === 0) this.#text(name);
    this.#text(value);
    if (isKept) this.#keep(name, value);
  }

  /** The bytes encoded since {@link begin}; valid until the next call. */
  get block(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #indexOf(number: number): number {
    return firstOfTable + this.#table.added - 1 - number;
  }

  #keep(name: string, value: string): void {
    const number = this.#table.added;
    if (!this.#table.add({ name, value, number, size: name.length + value.length + entryOverhead })) return;
    const values = this.#known.get(name) ?? new Map<string, number>();
    this.#known.set(name, values.set(value, number));
  }

  #forget({ name, value, number }: Entry): void {
    const values = this.#known.get(name);
    if (values?.get(value) !== number) return;
    values.delete(value);
    if (values.size === 0) this.#known.delete(name);
  }

  #integer(first: number, prefixBits: number, value: number): void {
    this.#reserve(8);
    const most = (1 << prefixBits) - 1;
    if (value < most) {
      this.#bytes[this.#at++] = first | value;
      return;
    }
    this.#bytes[this.#at++] = first | most;
    let rest = value - most;
    for (; rest >= 128; rest >>>= 7) this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#at++] = rest;
  }

  #text(text: string): void {
    this.#integer(0, 7, text.length);
    this.#reserve(text.length);
    this.#at += this.#bytes.write(text, this.#at, 'latin1');
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
