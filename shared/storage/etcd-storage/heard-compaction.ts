import { Buffer } from 'node:buffer';
import { outsideSpans } from '#shared/spans/active-span.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { compactRevisionKey } from './compaction-loop.ts';

/** Longest age of the known revision, as in the reference's caches (apiserver/pkg/storage/cacher/compactor.go). */
const defaultFreshMs = 15_000;
const callMs = 1_000;

/** Reads from `compact_rev_key` the revision up to which API servers have compacted. */
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

  /** The compacted revision: earlier states are gone. 0 if nothing was compacted yet, or etcd has not answered yet. */
  async revision(): Promise<number> {
    if (performance.now() - this.#heardAt >= this.#freshMs) await (this.#asking ??= outsideSpans(() => this.#ask()));
    return this.#revision;
  }

  async #ask(): Promise<void> {
    try {
      const { kvs } = await this.#transport.unary('KV/Range', { key: compactRevisionKey }, { deadlineMs: callMs });
      const compacted = Number(Buffer.from(kvs[0]?.value ?? []).toString('latin1'));
      if (Number.isSafeInteger(compacted)) this.#revision = Math.max(this.#revision, compacted);
    } catch {
      // The known revision stays valid: compaction never goes back.
    } finally {
      this.#heardAt = performance.now();
      this.#asking = undefined;
    }
  }
}
