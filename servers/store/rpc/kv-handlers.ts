import { refuseRequest } from '#servers/store/mvcc/etcd-errors.ts';
import { fetchFor, rangeAtOnce, select, sortsByContent } from '#servers/store/mvcc/range-query.ts';
import type { RangeSelection } from '#servers/store/mvcc/range-query.ts';
import { checkDeleteRange, checkPut, checkRange, checkSize, checkTxn } from '#servers/store/mvcc/txn-check.ts';
import { hasPut, isCompactionMark, isReadOnly, TxnRunner } from '#servers/store/mvcc/txn.ts';
import { encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import type { Encodable } from '#shared/storage/etcd-wire/codec.ts';
import type {
  CompactionRequest,
  CompactionResponse,
  DeleteRangeRequest,
  PutRequest,
  RangeRequest,
  RangeResponse,
  ResponseHeader,
  TxnRequest,
} from '#shared/storage/etcd-wire/kv-messages.ts';
import { keyValue, rangeResponse } from '#shared/storage/etcd-wire/kv-types.ts';
import { messageList, messageType } from '#shared/storage/etcd-wire/message-type.ts';
import { EncodedChunks } from '#shared/storage/etcd-wire/service.ts';
import type { UnaryAnswer } from '#shared/storage/etcd-wire/service.ts';
import type { StoreServiceDependencies } from './store-service-dependencies.ts';

/** Keys in a page: longer Ranges are read in pages, with other work in between. */
const pageKeys = 250;

/** A RangeResponse with only its kvs: protobuf messages may be split between fields and concatenated. */
const kvsOnly = messageType('RangeResponse', () => ({ kvs: [] as object[] }), {
  kvs: [2, messageList(() => keyValue)],
});

/** The KV service. */
export class KvHandlers {
  readonly #dependencies: StoreServiceDependencies;

  constructor(dependencies: StoreServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Reads the durable state. It includes every acknowledged write, so each read is linearizable. */
  range(request: RangeRequest): UnaryAnswer<'KV/Range'> | Promise<UnaryAnswer<'KV/Range'>> {
    checkRange(request);
    const { store } = this.#dependencies;
    const asked = request.revision ?? 0;
    // A server may have read this revision in store.tip, before the store has heard of it from its thread.
    if (asked > store.revision && asked <= store.appliedRevision) return this.#rangeWhenSettled(request);
    return this.#range(request);
  }

  async #rangeWhenSettled(request: RangeRequest): Promise<UnaryAnswer<'KV/Range'>> {
    await this.#dependencies.store.settled().catch(() => undefined);
    return this.#range(request);
  }

  #range(request: RangeRequest): UnaryAnswer<'KV/Range'> | Promise<UnaryAnswer<'KV/Range'>> {
    const { store } = this.#dependencies;
    const current = store.revision;
    const asked = request.revision ?? 0;
    store.checkRevision(asked, current);
    const revision = asked === 0 ? current : asked;
    const header = this.#dependencies.header.at(current);
    if (sortsByContent(request)) return { header, ...rangeAtOnce(store, request, revision) };
    const selection = select(store, request, revision);
    if (selection.refs.length > pageKeys) return this.#pagedRange(request, selection, header);
    const fetch = fetchFor(request);
    const kvs = selection.refs.map((ref, i) => fetch(store, ref, selection.ids[i] as number) ?? fail());
    return { header, kvs, more: selection.more, count: selection.count };
  }

  async put(request: PutRequest): Promise<UnaryAnswer<'KV/Put'>> {
    checkPut(request);
    checkSize(request);
    this.#dependencies.guard.checkRoom();
    const { store, lessor } = this.#dependencies;
    return this.#complete(await store.write((write) => new TxnRunner(store, lessor, write).put(request)));
  }

  async deleteRange(request: DeleteRangeRequest): Promise<UnaryAnswer<'KV/DeleteRange'>> {
    checkDeleteRange(request);
    const { store, lessor, guard } = this.#dependencies;
    return this.#complete(
      await guard.freeing(() => store.write((write) => new TxnRunner(store, lessor, write).deleteRange(request))),
    );
  }

  async txn(request: TxnRequest): Promise<UnaryAnswer<'KV/Txn'>> {
    checkTxn(request);
    const { store, lessor, guard } = this.#dependencies;
    if (isReadOnly(request)) return this.#complete(new TxnRunner(store, lessor, undefined).txn(request));
    checkSize(request);
    const run = async (): Promise<UnaryAnswer<'KV/Txn'>> =>
      this.#complete(await store.write((write) => new TxnRunner(store, lessor, write).txn(request)));
    if (!hasPut(request) || isCompactionMark(request)) return guard.freeing(run);
    guard.checkRoom();
    return run();
  }

  async compact(request: CompactionRequest): Promise<Encodable<CompactionResponse>> {
    const { compactor, guard } = this.#dependencies;
    const { finished } = await guard.freeing(() => compactor.compact(request.revision));
    if (request.physical === true) await finished;
    return { header: this.#dependencies.header.at(this.#dependencies.store.revision) };
  }

  /** Adds cluster, member and term to the header, which has only the transaction's revision. */
  #complete<T extends { header?: Encodable<ResponseHeader> | undefined }>(answer: T | Uint8Array): T {
    const body = answer as T;
    return { ...body, header: this.#dependencies.header.at((body.header as { revision: number }).revision) };
  }

  async #pagedRange(
    request: RangeRequest,
    { refs, ids, more, count }: RangeSelection,
    header: ResponseHeader,
  ): Promise<EncodedChunks> {
    const store = this.#dependencies.store;
    const fetch = fetchFor(request);
    const chunks = [encodeMessage<RangeResponse>(rangeResponse, { header, more, count })];
    for (let from = 0; from < refs.length; from += pageKeys) {
      const kvs = refs
        .slice(from, from + pageKeys)
        .map((ref, i) => fetch(store, ref, ids[from + i] as number) ?? fail());
      chunks.push(encodeMessage(kvsOnly, { kvs }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return new EncodedChunks(chunks);
  }
}

/** Refuses a Range whose rows were compacted between selection and reading. */
function fail(): never {
  throw refuseRequest('compacted');
}
