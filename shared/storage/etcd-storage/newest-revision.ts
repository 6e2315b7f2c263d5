import { passingOn, runInSpan } from '#shared/spans/active-span.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { TipOffer } from '#shared/storage/tip/tip-offer.ts';
import { TipReader } from '#shared/storage/tip/tip-reader.ts';
import type { EtcdCalls } from './calls.ts';
import { compactRevisionKey } from './compaction-loop.ts';
import { toStorageError } from './errors.ts';
import { endWith, etcdSpan } from './etcd-span.ts';
import { RevisionCheck } from './revision-check.ts';

export interface NewestRevisionOptions {
  /** Whether the calls may go to a store of this project, which may offer its tip. */
  readonly asksForTip: boolean;
  /** Told of each revision that was read in the tip: the store itself may get to know of it a little later. */
  readonly onTip: (revision: number) => void;
}

/** Tells the newest revision, by a linearizable read that begins after the call, or by a look at the store's tip. */
export class NewestRevision {
  readonly #calls: EtcdCalls;
  readonly #onTip: (revision: number) => void;
  readonly #check = new RevisionCheck(() => this.#read());
  #tip: TipReader | undefined;

  constructor(calls: EtcdCalls, { asksForTip, onTip }: NewestRevisionOptions) {
    this.#calls = calls;
    this.#onTip = onTip;
    if (asksForTip) this.#tip = new TipReader();
  }

  /** The read may be one of others, too: it is a part of each request that waits for it. A traced one is not spared. */
  current(): Promise<number> {
    const span = etcdSpan('KV/Range');
    if (span !== undefined)
      return endWith(
        span,
        this.#check.current((read) => runInSpan(span, read)),
      );
    const revision = this.#tip?.newest();
    if (revision === undefined) return this.#check.current(passingOn());
    this.#onTip(revision);
    return Promise.resolve(revision);
  }

  /** Asks next time: who answers then may be another store, or an etcd. */
  distrust(): void {
    this.#tip?.distrust();
  }

  close(): void {
    this.#tip?.close();
    this.#tip = undefined;
  }

  async #read(): Promise<number> {
    try {
      return (this.#tip === undefined ? undefined : await this.#askForTip(this.#tip)) ?? (await this.#count());
    } catch (error) {
      throw toStorageError(error, '');
    }
  }

  /**
   * Reads the revision by a linearizable read, since one member's revision may be behind the quorum's. Counting one key
   * is the cheapest such read.
   */
  async #count(): Promise<number> {
    const { header } = await this.#calls.sharedRead('KV/Range', {
      key: compactRevisionKey,
      limit: 1,
      countOnly: true,
    });
    return header?.revision ?? 0;
  }

  /** Undefined, from then on, where it is not known what a tip is. */
  async #askForTip(tip: TipReader): Promise<number | undefined> {
    const sentAtMs = performance.now();
    try {
      const { header, ...answer } = await this.#calls.sharedRead('Store/Tip', {});
      const offer: TipOffer | undefined = answer.path === '' ? undefined : answer;
      if (this.#tip === tip) tip.take(offer, sentAtMs);
      return header?.revision ?? 0;
    } catch (error) {
      if (!(error instanceof EtcdRpcError) || error.code !== grpcCode.unimplemented) throw error;
      this.close();
      return undefined;
    }
  }
}
