import type { Encodable } from '#shared/storage/etcd-wire/codec.ts';
import type {
  DeleteRangeRequest,
  DeleteRangeResponse,
  PutRequest,
  PutResponse,
  RangeRequest,
  RangeResponse,
  RequestOp,
  ResponseOp,
  TxnRequest,
  TxnResponse,
} from '#shared/storage/etcd-wire/kv-messages.ts';
import { comparisonHolds } from './compare.ts';
import { refuseRequest } from './etcd-errors.ts';
import { keyRange, keyText } from './key-range.ts';
import { storedValueOf } from './kv-encoding.ts';
import { rangeAtOnce } from './range-query.ts';
import type { MvccStore } from './store.ts';
import type { WriteTxn } from './write-txn.ts';

/** Tells whether a lease exists. */
export interface LeaseLookup {
  has(id: string): boolean;
}

const noBytes = Buffer.alloc(0);

/** Runs operations against the store at a revision, or, with a write transaction, on top of the applied state. */
export class TxnRunner {
  readonly #store: MvccStore;
  readonly #leases: LeaseLookup;
  readonly #write: WriteTxn | undefined;
  /** Revision of the state that comparisons use. */
  readonly #base: number;

  constructor(store: MvccStore, leases: LeaseLookup, write: WriteTxn | undefined) {
    this.#store = store;
    this.#leases = leases;
    this.#write = write;
    this.#base = write === undefined ? store.revision : store.appliedRevision;
  }

  /** @throws EtcdRpcError, after which the caller undoes the writes made so far */
  txn(request: TxnRequest): Encodable<TxnResponse> {
    const outcome = this.#judge(request);
    const response = this.#execute(outcome);
    return { ...response, header: this.header() };
  }

  put(request: PutRequest): Encodable<PutResponse> {
    const write = this.#writing();
    const key = keyText(request.key);
    const entry = this.#store.index.get(key);
    const alive = entry !== undefined && entry.createRevision !== 0 ? entry : undefined;
    let previous: Buffer | undefined;
    if (alive !== undefined && (request.prevKv === true || request.ignoreValue === true))
      previous = this.#store.bytes(alive);
    if (alive === undefined && (request.ignoreValue === true || request.ignoreLease === true))
      throw refuseRequest('keyNotFound');
    const lease = request.ignoreLease === true ? (alive?.lease ?? '0') : (request.lease ?? '0');
    if (lease !== '0' && !this.#leases.has(lease)) throw refuseRequest('leaseNotFound');
    const value =
      request.ignoreValue === true && previous !== undefined ? storedValueOf(previous) : (request.value ?? noBytes);
    write.put(key, value, lease);
    return { header: this.header(), prevKv: request.prevKv === true ? previous : undefined };
  }

  deleteRange(request: DeleteRangeRequest): Encodable<DeleteRangeResponse> {
    const write = this.#writing();
    const prevKvs = request.prevKv === true ? this.#range({ key: request.key, rangeEnd: request.rangeEnd }).kvs : [];
    const deleted = write.deleteRange(keyRange(request.key, request.rangeEnd));
    return { header: this.header(), deleted, prevKvs };
  }

  range(request: RangeRequest): Encodable<RangeResponse> {
    return { header: this.header(), ...this.#range(request) };
  }

  /** The answer's header with only the revision; the service adds cluster, member and term. */
  header(): { revision: number } {
    return {
      revision: this.#write !== undefined && this.#write.changes.length > 0 ? this.#write.revision : this.#base,
    };
  }

  #range(request: RangeRequest): { kvs: Buffer[]; more: boolean; count: number } {
    const current = this.header().revision;
    this.#store.checkRevision(request.revision ?? 0, this.#base);
    return rangeAtOnce(
      this.#store,
      request,
      request.revision === undefined || request.revision === 0 ? current : request.revision,
    );
  }

  /** Evaluates all comparisons, nested ones too, on the state before the first operation. */
  #judge(request: TxnRequest): Outcome {
    const succeeded = (request.compare ?? []).every((compare) => comparisonHolds(this.#store, compare, this.#base));
    const ops = (succeeded ? request.success : request.failure) ?? [];
    return {
      succeeded,
      ops,
      nested: ops.map((op) => (op.requestTxn === undefined ? undefined : this.#judge(op.requestTxn))),
    };
  }

  #execute(outcome: Outcome): Encodable<TxnResponse> & object {
    const responses = outcome.ops.map((op, i) => this.#op(op, outcome.nested[i]));
    return { succeeded: outcome.succeeded, responses };
  }

  #op(op: RequestOp, nested: Outcome | undefined): Encodable<ResponseOp> {
    if (op.requestPut !== undefined) return { responsePut: this.put(op.requestPut) };
    if (op.requestRange !== undefined) return { responseRange: this.range(op.requestRange) };
    if (op.requestDeleteRange !== undefined) return { responseDeleteRange: this.deleteRange(op.requestDeleteRange) };
    // etcd leaves an empty header in nested transactions.
    return nested === undefined ? {} : { responseTxn: { header: {}, ...(this.#execute(nested) as object) } };
  }

  #writing(): WriteTxn {
    if (this.#write === undefined) throw new Error('a write in a transaction that was taken for read-only');
    return this.#write;
  }
}

interface Outcome {
  readonly succeeded: boolean;
  readonly ops: readonly RequestOp[];
  readonly nested: readonly (Outcome | undefined)[];
}

/** Whether no branch writes: such a transaction reads the durable state and waits for no commit. */
export function isReadOnly(request: TxnRequest): boolean {
  const reads = (op: RequestOp): boolean =>
    op.requestTxn === undefined
      ? op.requestPut === undefined && op.requestDeleteRange === undefined
      : isReadOnly(op.requestTxn);
  return (request.success ?? []).every(reads) && (request.failure ?? []).every(reads);
}

/** Whether a branch has a put: those are refused without space, while deletions are allowed. */
export function hasPut(request: TxnRequest): boolean {
  const puts = (op: RequestOp): boolean =>
    op.requestPut !== undefined || (op.requestTxn !== undefined && hasPut(op.requestTxn));
  return (request.success ?? []).some(puts) || (request.failure ?? []).some(puts);
}

const compactionMark = Buffer.from('compact_rev_key');
const longestMark = 32;

/**
 * Whether the only puts are of the key by which API servers coordinate compactions: without it a full store could not
 * be compacted.
 */
export function isCompactionMark(request: TxnRequest): boolean {
  const puts = [...(request.success ?? []), ...(request.failure ?? [])].filter((op) => op.requestRange === undefined);
  return puts.every(
    ({ requestPut }) =>
      requestPut !== undefined &&
      compactionMark.equals(requestPut.key) &&
      (requestPut.value?.length ?? 0) <= longestMark,
  );
}
