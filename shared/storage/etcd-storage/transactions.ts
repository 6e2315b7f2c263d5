import type { Buffer } from 'node:buffer';
import type { Compare, RequestOp, ResponseOp, TxnRequest, TxnResponse } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { TransactionOp } from '#shared/storage/storage.ts';
import type { KeySpace } from './keys.ts';

/** The condition that the key is at this revision; 0 means that it does not exist. */
function atRevision(key: Buffer, modRevision: number): Compare {
  return { target: 'MOD', result: 'EQUAL', key, modRevision };
}

/** Writes if the key is at the revision, and otherwise reads it, in one round trip. */
export function conditional(key: Buffer, expectedRevision: number, op: RequestOp): TxnRequest {
  return { compare: [atRevision(key, expectedRevision)], success: [op], failure: [{ requestRange: { key } }] };
}

/**
 * Does the writes of all {@link TransactionOp}s if all expected revisions hold; otherwise reads the revisions of the
 * compared keys.
 */
export function buildTransaction(keys: KeySpace, ops: readonly TransactionOp[]): TxnRequest {
  const compare: Compare[] = [];
  const success: RequestOp[] = [];
  const failure: RequestOp[] = [];
  for (const op of ops) {
    const key = keys.encode(op.key);
    if (op.expectedRevision !== undefined) {
      compare.push(atRevision(key, op.expectedRevision));
      failure.push({ requestRange: { key, keysOnly: true } });
    }
    if (op.checkOnly === true) continue;
    success.push(op.value === undefined ? { requestDeleteRange: { key } } : { requestPut: { key, value: op.value } });
  }
  return { compare, success, failure };
}

/** The first key whose revision was not the expected one. */
export function failedKey(ops: readonly TransactionOp[], response: TxnResponse): string {
  const compared = ops.filter((op) => op.expectedRevision !== undefined);
  const failed = compared.find((op, index) => modRevision(response.responses[index]) !== op.expectedRevision);
  return (failed ?? compared[0])?.key ?? '';
}

function modRevision(response: ResponseOp | undefined): number {
  return response?.responseRange?.kvs[0]?.modRevision ?? 0;
}
