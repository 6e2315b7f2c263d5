import { BytePieces } from '#shared/apimachinery/bytes/byte-pieces.ts';
import { DynamicTable, entryOverhead } from './dynamic-table.ts';
import { decodeHuffman } from './huffman.ts';
import { staticFields, type HeaderField } from './static-table.ts';

/** The header block cannot be decoded, nor any later block of the connection (RFC 7541 section 2.3.3). */
export class CompressionError extends Error {}

interface Entry extends HeaderField {
  readonly size: number;
}

/** Receives the fields of a block in their order. */
export interface FieldSink {
  /** @param kept the entry of a table that the field is, or becomes; one that was found valid is not judged again */
  field(name: string, value: string, kept?: HeaderField): void;
}

/** Thrown where a part of a block ends within a representation. This is no fault: the rest is awaited. */
const incomplete = new Error('incomplete');

const tableBytes = 4096;
const longestIntegerBits = 28;
/** Strings up to this length are decoded into a buffer that the decoder reuses. */
const shortText = 2048;
const noBytes: Buffer = Buffer.alloc(0);

/**
 * Decodes header blocks as their parts arrive (RFC 7541). However small the parts are, a string is not read again for
 * each of them.
 */
export class HeaderDecoder {
  readonly #table = new DynamicTable<Entry>(tableBytes);
  readonly #longestText: number;
  /** The received part of an incomplete representation, and how many bytes it needs at least. */
  readonly #begun = new BytePieces();
  #needed = 0;
  /** Whether a block begins. Only there may the size of a table with entries be changed, as in Go. */
  #atBegin = true;
  #bytes = noBytes;
  #at = 0;
  #scratch: Buffer | undefined;

  /** @param longestText longest encoded name or value; a longer one is a {@link CompressionError} */
  constructor(longestText: number) {
    this.#longestText = longestText;
  }

  /** @throws CompressionError */
  decode(part: Buffer, sink: FieldSink): void {
    this.#bytes = part;
    if (this.#begun.length > 0) {
      this.#begun.push(part);
      if (this.#begun.length < this.#needed) return;
      this.#bytes = this.#begun.takeAll();
    }
    this.#at = 0;
    while (this.#at < this.#bytes.length) {
      const start = this.#at;
      try {
        this.#representation(sink);
      } catch (error) {
        if (error !== incomplete) throw error;
        this.#begun.push(this.#bytes.subarray(start));
        this.#needed = Math.max(this.#begun.length + 1, this.#needed - start);
        break;
      }
    }
    this.#bytes = noBytes;
  }

  /** @throws CompressionError when the block ends within a representation */
  end(): void {
    this.#atBegin = true;
    if (this.#begun.length > 0) throw new CompressionError('truncated headers');
  }

  #representation(sink: FieldSink): void {
    const first = this.#bytes[this.#at] as number;
    if ((first & 0x80) !== 0) {
      const field = this.#fieldAt(this.#integer(7));
      this.#atBegin = false;
      sink.field(field.name, field.value, field);
    } else if ((first & 0xc0) === 0x40) this.#literal(6, true, sink);
    else if ((first & 0xe0) === 0x20) this.#resize(this.#integer(5));
    else this.#literal(4, false, sink);
  }

  #literal(indexBits: number, isKept: boolean, sink: FieldSink): void {
    const index = this.#integer(indexBits);
    const name = index === 0 ? this.#text() : this.#fieldAt(index).name;
    const value = this.#text();
    this.#atBegin = false;
    if (!isKept) return sink.field(name, value);
    const entry: Entry = { name, value, size: name.length + value.length + entryOverhead, isValid: false };
    this.#table.add(entry);
    sink.field(name, value, entry);
  }

  #resize(bytes: number): void {
    if (!this.#atBegin && this.#table.count > 0)
      throw new CompressionError('a dynamic table size update must come first');
    if (bytes > tableBytes) throw new CompressionError('dynamic table size update too large');
    this.#table.setCapacity(bytes);
  }

  #fieldAt(index: number): HeaderField {
    const field =
      index <= staticFields.length ? staticFields[index - 1] : this.#table.at(index - staticFields.length - 1);
    if (field === undefined) throw new CompressionError(`invalid indexed representation index ${index}`);
    return field;
  }

  /** Reads an integer (RFC 7541 section 5.1). */
  #integer(prefixBits: number): number {
    const most = (1 << prefixBits) - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) return value;
      if (shift + 7 > longestIntegerBits) throw new CompressionError('varint integer overflow');
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) {
      this.#needed = 0;
      throw incomplete;
    }
    this.#at++;
    return byte;
  }

  /** Reads a string (RFC 7541 section 5.2). Each byte becomes one character. */
  #text(): string {
    const isCoded = ((this.#bytes[this.#at] ?? 0) & 0x80) !== 0;
    const length = this.#integer(7);
    if (length > this.#longestText) throw new CompressionError('string too long');
    const start = this.#at;
    const end = start + length;
    if (end > this.#bytes.length) {
      this.#needed = end;
      throw incomplete;
    }
    this.#at = end;
    if (!isCoded) return this.#bytes.toString('latin1', start, end);
    const into =
      length <= shortText ? (this.#scratch ??= Buffer.allocUnsafe(shortText * 2)) : Buffer.allocUnsafe(length * 2);
    const decoded = decodeHuffman(this.#bytes, start, end, into);
    if (decoded < 0) throw new CompressionError('invalid Huffman-encoded data');
    return into.toString('latin1', 0, decoded);
  }
}
