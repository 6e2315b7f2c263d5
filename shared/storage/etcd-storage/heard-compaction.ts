import { Buffer } from 'node:buffer';
import type { EtcdTransport } from '../etcd-wire/transport.ts';
import { compactRevisionKey } from './compaction-loop.ts';

/** A word is this old at most: so often the caches of the reference ask (apiserver/pkg/storage/cacher/compactor.go). */
const defaultFreshMs = 15_000;
const callMs = 1_000;

/** What API servers compacted, as `compact_rev_key` tells: each of them hears of it, whichever does it. */
export class HeardCompaction {
  readonly #transport: EtcdTransport;
  readonly #freshMs: number;
  #revision = 0;
  #heardAt = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(transport: EtcdTransport, freshMs = defaultFreshMs) {
    this.#transport = transport;
    this.#freshMs = freshMs;
  }

  /** States before this revision are gone; 0 when nothing was compacted yet, or nobody answered so far. */
  async revision(): Promise<number> {
    if (performance.now() - this.#heardAt >= this.#freshMs) await (this.#asking ??= this.#ask());
    return this.#revision;
  }

  async #ask(): Promise<void> {
    try {
      const { kvs } = await this.#transport.unary('KV/Range', { key: compactRevisionKey }, { deadlineMs: callMs });
      const told = Number(Buffer.from(kvs[0]?.value ?? []).toString('latin1'));
      if (Number.isSafeInteger(told)) this.#revision = Math.max(this.#revision, told);
    } catch {
      // What was heard before holds: compaction never goes back.
    } finally {
      this.#heardAt = performance.now();
      this.#asking = undefined;
    }
  }
}
