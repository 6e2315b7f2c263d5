import type {
  DeleteRangeRequest,
  PutRequest,
  RangeRequest,
  RequestOp,
  TxnRequest,
} from '#shared/storage/etcd-wire/kv-messages.ts';
import { refuseRequest } from './etcd-errors.ts';
import { inRange, keyRange, keyText } from './key-range.ts';
import type { KeyRange } from './key-range.ts';

/** etcd's default of `--max-txn-ops`. */
const maxTxnOps = 128;
/** etcd's default of `--max-request-bytes`. */
const maxRequestBytes = 1536 * 1024;

export function checkRange(request: RangeRequest): void {
  if (request.key.length === 0) throw refuseRequest('emptyKey');
  if (request.sortOrder?.startsWith('UNKNOWN') === true || request.sortTarget?.startsWith('UNKNOWN') === true)
    throw refuseRequest('invalidSortOption');
}

export function checkPut(request: PutRequest): void {
  if (request.key.length === 0) throw refuseRequest('emptyKey');
  if (request.ignoreValue === true && (request.value?.length ?? 0) > 0) throw refuseRequest('valueProvided');
  if (request.ignoreLease === true && (request.lease ?? '0') !== '0') throw refuseRequest('leaseProvided');
}

/** Checks the size of a request, about as large as etcd's encoding of it is. @throws EtcdRpcError */
export function checkSize(request: PutRequest | TxnRequest): void {
  if (('key' in request ? putSize(request) : txnSize(request)) > maxRequestBytes)
    throw refuseRequest('requestTooLarge');
}

function putSize(request: PutRequest): number {
  return request.key.length + (request.value?.length ?? 0) + 16;
}

function txnSize(request: TxnRequest): number {
  let size = 16;
  for (const { key, value, rangeEnd } of request.compare ?? [])
    size += key.length + (value?.length ?? 0) + (rangeEnd?.length ?? 0) + 16;
  for (const ops of [request.success ?? [], request.failure ?? []]) {
    for (const op of ops) {
      const range = op.requestRange ?? op.requestDeleteRange;
      if (op.requestPut !== undefined) size += putSize(op.requestPut);
      else if (op.requestTxn !== undefined) size += txnSize(op.requestTxn);
      else if (range !== undefined) size += range.key.length + (range.rangeEnd?.length ?? 0) + 16;
    }
  }
  return size;
}

export function checkDeleteRange(request: DeleteRangeRequest): void {
  if (request.key.length === 0) throw refuseRequest('emptyKey');
}

/** Validates a transaction without reading data (api/v3rpc/key.go). */
export function checkTxn(request: TxnRequest): void {
  checkShape(request, maxTxnOps);
  collectWrites(request.success ?? []);
  collectWrites(request.failure ?? []);
}

function checkShape(request: TxnRequest, allowed: number): void {
  const { compare = [], success = [], failure = [] } = request;
  const operations = Math.max(compare.length, success.length, failure.length);
  if (operations > allowed) throw refuseRequest('tooManyOps');
  if (compare.some((one) => one.key.length === 0)) throw refuseRequest('emptyKey');
  for (const op of success) checkOp(op, allowed - operations);
  for (const op of failure) checkOp(op, allowed - operations);
}

function checkOp(op: RequestOp, allowed: number): void {
  if (op.requestRange !== undefined) checkRange(op.requestRange);
  else if (op.requestPut !== undefined) checkPut(op.requestPut);
  else if (op.requestDeleteRange !== undefined) checkDeleteRange(op.requestDeleteRange);
  else if (op.requestTxn !== undefined) checkShape(op.requestTxn, allowed);
  else throw refuseRequest('keyNotFound');
}

interface Writes {
  readonly puts: Set<string>;
  readonly deletions: KeyRange[];
}

/**
 * Checks that no key is written twice: neither by two puts, nor by a put into a deleted range. Only one of two branches
 * runs, so a key may occur in both.
 */
function collectWrites(ops: readonly RequestOp[]): Writes {
  const puts = new Set<string>();
  const deletions = ops.flatMap(({ requestDeleteRange: request }) =>
    request === undefined ? [] : [keyRange(request.key, request.rangeEnd)],
  );
  const addPut = (key: string, siblings?: ReadonlySet<string>): void => {
    if (puts.has(key) && siblings?.has(key) !== true) throw refuseRequest('duplicateKey');
    if (deletions.some((range) => inRange(range, key))) throw refuseRequest('duplicateKey');
    puts.add(key);
  };
  for (const { requestTxn } of ops) {
    if (requestTxn === undefined) continue;
    const then = collectWrites(requestTxn.success ?? []);
    const otherwise = collectWrites(requestTxn.failure ?? []);
    for (const key of then.puts) addPut(key);
    for (const key of otherwise.puts) addPut(key, then.puts);
    deletions.push(...then.deletions, ...otherwise.deletions);
  }
  for (const { requestPut } of ops) {
    if (requestPut !== undefined) addPut(keyText(requestPut.key));
  }
  return { puts, deletions };
}
