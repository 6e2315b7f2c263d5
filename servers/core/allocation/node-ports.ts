import { drawBelow } from '#shared/apimachinery/chance/draw.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { reportDamage } from '#shared/observability/process-lines.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { undecodable } from '#shared/storage/undecodable.ts';
import { AllocationError, RangeFullError } from './cluster-ips.ts';
import { NodePortMetrics } from './node-port-metrics.ts';

/** Encodes and decodes a RangeAllocation for storage; the server passes it in, so that this file needs no codec. */
export interface RangeCodec {
  encode(object: KubeObject): Uint8Array;
  decode(stored: Uint8Array): KubeObject;
}

export interface NodePortRange {
  /** First and last port, both included. */
  readonly first: number;
  readonly last: number;
}

const key = '/ranges/servicenodeports';

/**
 * Node ports as one bitmap, with the storage key and the format of the reference, changed by compare-and-set
 * (pkg/registry/core/service/portallocator and allocator/storage).
 */
export class NodePorts {
  readonly #storage: Storage;
  readonly #codec: RangeCodec;
  readonly #range: NodePortRange;
  readonly metrics: NodePortMetrics;

  constructor(storage: Storage, codec: RangeCodec, range: NodePortRange) {
    this.#storage = storage;
    this.#codec = codec;
    this.#range = range;
    this.metrics = new NodePortMetrics(range.last - range.first + 1);
  }

  /** Allocates a port that the client chose; a dry run only checks that it is free. Throws {@link AllocationError}. */
  async take(port: number, dryRun: boolean): Promise<void> {
    if (!dryRun) return this.metrics.counted('static', () => this.#take(port, false));
    if (this.contains(port)) await this.#take(port, true);
  }

  async #take(port: number, dryRun: boolean): Promise<void> {
    this.#check(port);
    await this.#change(dryRun, (bits) => {
      if (isSet(bits, port - this.#range.first)) throw new AllocationError('provided port is already allocated');
      return setBit(bits, port - this.#range.first, true);
    });
  }

  /** Allocates a free port, from the upper part of the range first (KEP-3668). Throws {@link RangeFullError}. */
  async takeAny(): Promise<number> {
    return this.metrics.counted('dynamic', async () => {
      let port = 0;
      await this.#change(false, (bits) => {
        port = this.#free(bits);
        return setBit(bits, port - this.#range.first, true);
      });
      return port;
    });
  }

  async release(ports: readonly number[]): Promise<void> {
    const held = ports.filter((port) => this.contains(port));
    if (held.length === 0) return;
    await this.#change(false, (bits) =>
      held.reduce((changed, port) => setBit(changed, port - this.#range.first, false), bits),
    );
  }

  contains(port: number): boolean {
    return port >= this.#range.first && port <= this.#range.last;
  }

  /**
   * Replaces the whole set of allocated ports by the result of `decide` for the current set. If another request
   * allocates or releases a port meanwhile, `decide` is called again with the new set.
   */
  async rebuild(decide: (held: ReadonlySet<number>) => Promise<Iterable<number>>): Promise<void> {
    await this.#change(false, async (bits) => {
      const held = new Set<number>();
      for (let port = this.#range.first; port <= this.#range.last; port += 1)
        if (isSet(bits, port - this.#range.first)) held.add(port);
      let rebuilt: Buffer = Buffer.alloc(0);
      for (const port of await decide(held)) rebuilt = setBit(rebuilt, port - this.#range.first, true);
      return rebuilt;
    });
  }

  #check(port: number): void {
    const { first, last } = this.#range;
    if (!this.contains(port))
      throw new AllocationError(
        `provided port is not in the valid range. The range of valid ports is ${first}-${last}`,
      );
  }

  #free(bits: Buffer): number {
    const size = this.#range.last - this.#range.first + 1;
    const reserved = size < 16 ? 0 : Math.min(Math.max(Math.floor(size / 32), 16), 128);
    const upper = size - reserved;
    const start = drawBelow(upper, 'node ports');
    for (let step = 0; step < upper; step += 1) {
      const offset = reserved + ((start + step) % upper);
      if (!isSet(bits, offset)) return this.#range.first + offset;
    }
    for (let offset = 0; offset < reserved; offset += 1) if (!isSet(bits, offset)) return this.#range.first + offset;
    throw new RangeFullError();
  }

  async #change(dryRun: boolean, change: (bits: Buffer) => Buffer | Promise<Buffer>): Promise<void> {
    for (;;) {
      const { kv } = await this.#storage.get(key);
      const object = kv ? this.#decode(kv.value) : emptyAllocation();
      const bits = await change(this.#bitsOf(object));
      if (!dryRun) this.metrics.seen(countBits(bits));
      const next = { ...object, range: `${this.#range.first}-${this.#range.last}`, data: bits.toString('base64') };
      if (dryRun || (next.range === object['range'] && next.data === object['data'])) return;
      const written = await this.#write(kv?.modRevision, next);
      if (written) return;
    }
  }

  #decode(stored: Uint8Array): KubeObject {
    try {
      return this.#codec.decode(stored);
    } catch (error) {
      const reason = `${undecodable(key)} (${(error as Error).message}); it is made anew of the node ports of all Services`;
      reportDamage(reason);
      throw new Error(reason, { cause: error });
    }
  }

  /** Reads the bitmap. Bit 0 is the first port of the range that was configured when the bitmap was written. */
  #bitsOf(object: KubeObject): Buffer {
    const bits = Buffer.from(stringAt(object, 'data'), 'base64');
    const first = Number.parseInt(stringAt(object, 'range'), 10);
    if (Number.isNaN(first) || first === this.#range.first) return bits;
    let moved: Buffer = Buffer.alloc(0);
    for (let offset = 0; offset < bits.length * 8; offset += 1) {
      if (isSet(bits, offset) && this.contains(first + offset))
        moved = setBit(moved, first + offset - this.#range.first, true);
    }
    return moved;
  }

  async #write(expectedRevision: number | undefined, object: KubeObject): Promise<boolean> {
    const result = await this.#storage.transact([
      { key, expectedRevision: expectedRevision ?? 0, value: this.#codec.encode(object) },
    ]);
    return result.ok;
  }
}

function emptyAllocation(): KubeObject {
  return { apiVersion: 'v1', kind: 'RangeAllocation', metadata: {}, range: '', data: '' };
}

// The bitmap is a big-endian number without leading zero bytes, as Go's big.Int writes it: bit 0 is in the last byte.

function isSet(bits: Buffer, offset: number): boolean {
  const byte = bits[bits.length - 1 - (offset >> 3)] ?? 0;
  return (byte & (1 << (offset & 7))) !== 0;
}

function countBits(bits: Buffer): number {
  let count = 0;
  for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function setBit(bits: Buffer, offset: number, value: boolean): Buffer {
  const length = Math.max(bits.length, (offset >> 3) + 1);
  const grown = Buffer.alloc(length);
  bits.copy(grown, length - bits.length);
  const at = length - 1 - (offset >> 3);
  const byte = grown[at] ?? 0;
  grown[at] = value ? byte | (1 << (offset & 7)) : byte & ~(1 << (offset & 7));
  const lead = grown.findIndex((item) => item !== 0);
  return lead < 0 ? Buffer.alloc(0) : grown.subarray(lead);
}
