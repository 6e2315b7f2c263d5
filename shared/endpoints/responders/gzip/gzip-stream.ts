import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { endOfRun, type ListBody } from '#shared/endpoints/forms/list-body.ts';
import { compressRun, knownRun, type CompressedRun } from './compressed-runs.ts';
import { crc32Combine } from './crc32-combine.ts';

/** The gzip header (RFC 1952): deflate, no name, no time, fastest compression, unknown system. */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** An empty last block. */
const lastBlock = Buffer.from([3, 0]);
const longestStored = 0xffff;
/** `work` pauses after this many bytes, even where all runs are cached. */
const blockBytes = 1024 * 1024;

/**
 * A list as a gzip stream: compressed runs of items are copied, from an earlier list where they are cached; everything
 * else is stored uncompressed.
 */
export class GzipStream {
  readonly #body: ListBody;
  /** The entry with which the next run begins. */
  #next = 0;
  #compressing: Steps<CompressedRun> | undefined;
  #crc = 0;
  #length = 0;
  #out: Buffer[] = [gzipHead];
  /** Bytes of the runs that were not taken yet. */
  #outBytes = 0;

  constructor(body: ListBody) {
    this.#body = body;
    this.#store(body.head);
  }

  /**
   * Works for about `sliceMs`, since making and compressing items takes long. Returns true when the stream is complete.
   */
  work(sliceMs: number): boolean {
    const { entries, between } = this.#body;
    let untilMs = 0;
    while (this.#next < entries.length) {
      const end = endOfRun(entries, this.#next);
      let compressed = this.#compressing === undefined ? knownRun(this.#body, entries, this.#next, end) : undefined;
      if (compressed === undefined) {
        if (untilMs === 0) untilMs = performance.now() + sliceMs;
        else if (performance.now() >= untilMs) return false;
        this.#compressing ??= compressRun(this.#body, this.#next, end);
        const step = this.#compressing.next();
        if (step.done !== true) continue;
        compressed = step.value;
        this.#compressing = undefined;
      }
      if (this.#next > 0 && between.length > 0) this.#store([between]);
      this.#out.push(compressed.bytes);
      this.#outBytes += compressed.bytes.length;
      this.#crc = crc32Combine(this.#crc, compressed.crc, compressed.crcShift);
      this.#length += compressed.length;
      this.#next = end;
      if (this.#outBytes >= blockBytes && this.#next < entries.length) return false;
    }
    this.#store(this.#body.tail);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#length % 2 ** 32, 4);
    this.#out.push(lastBlock, trailer);
    return true;
  }

  /** The bytes made since the last call, as one buffer. */
  take(): Buffer {
    const out = this.#out;
    this.#out = [];
    this.#outBytes = 0;
    return Buffer.concat(out);
  }

  #store(chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) {
      this.#crc = crc32(chunk, this.#crc);
      this.#length += chunk.length;
      for (let at = 0; at < chunk.length; at += longestStored)
        this.#out.push(storedHead(Math.min(longestStored, chunk.length - at)), view(chunk, at));
    }
  }
}

function storedHead(length: number): Buffer {
  return Buffer.from([0, length & 0xff, length >>> 8, ~length & 0xff, (~length >>> 8) & 0xff]);
}

function view(chunk: Uint8Array, at: number): Buffer {
  const length = Math.min(longestStored, chunk.length - at);
  return Buffer.from(chunk.buffer, chunk.byteOffset + at, length);
}
