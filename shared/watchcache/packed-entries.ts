import { Buffer } from 'node:buffer';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ownBytes } from '#shared/apimachinery/bytes/own-bytes.ts';
import type { CacheEntry } from './watch-cache.ts';

/** The fastest: states of one resource are so alike that higher levels save little more. */
const level = 1;

/**
 * The same entries in the same order, with their JSON compressed in one piece, from which it is read again whenever it
 * is asked for. The rest stays as it is, so that selectors cost what they cost before.
 */
export function packEntries(entries: readonly CacheEntry[]): readonly CacheEntry[] {
  const texts = new PackedTexts(entries.map(({ json }) => json));
  let start = 0;
  return entries.map((entry) => {
    const packed = new PackedEntry(entry, texts, start);
    start += entry.json.length;
    return packed;
  });
}

class PackedTexts {
  readonly #packed: Buffer;
  /** All texts, for as long as somebody reads one of them. */
  #open: WeakRef<Buffer> | undefined;

  constructor(texts: readonly Buffer[]) {
    const all = Buffer.concat(texts);
    const params = { [constants.ZSTD_c_compressionLevel]: level };
    this.#packed = ownBytes(zstdCompressSync(all, { params, pledgedSrcSize: all.length }));
  }

  /** A part of the texts; it keeps all of them in memory. */
  read(start: number, end: number): Buffer {
    let all = this.#open?.deref();
    if (all === undefined) this.#open = new WeakRef((all = zstdDecompressSync(this.#packed)));
    return all.subarray(start, end);
  }
}

class PackedEntry implements CacheEntry {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly labels: CacheEntry['labels'];
  readonly fields: CacheEntry['fields'];
  readonly storedBytes: number;
  readonly apiVersion?: string;
  readonly isOutdated?: boolean;
  readonly #texts: PackedTexts;
  readonly #start: number;
  readonly #end: number;

  constructor(entry: CacheEntry, texts: PackedTexts, start: number) {
    this.key = entry.key;
    this.namespace = entry.namespace;
    this.name = entry.name;
    this.revision = entry.revision;
    this.labels = entry.labels;
    this.fields = entry.fields;
    this.storedBytes = entry.storedBytes ?? 0;
    if (entry.apiVersion !== undefined) this.apiVersion = entry.apiVersion;
    if (entry.isOutdated !== undefined) this.isOutdated = entry.isOutdated;
    this.#texts = texts;
    this.#start = start;
    this.#end = start + entry.json.length;
  }

  get json(): Buffer {
    return this.#texts.read(this.#start, this.#end);
  }
}
