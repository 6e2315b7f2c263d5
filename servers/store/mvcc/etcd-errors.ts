import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';

const { dataLoss, failedPrecondition, invalidArgument, notFound, outOfRange, resourceExhausted, unavailable } =
  grpcCode;

/** etcd's errors with their codes and messages (api/v3rpc/rpctypes/error.go); clients compare the messages. */
const refusals = {
  emptyKey: [invalidArgument, 'etcdserver: key is not provided'],
  keyNotFound: [invalidArgument, 'etcdserver: key not found'],
  valueProvided: [invalidArgument, 'etcdserver: value is provided'],
  leaseProvided: [invalidArgument, 'etcdserver: lease is provided'],
  tooManyOps: [invalidArgument, 'etcdserver: too many operations in txn request'],
  duplicateKey: [invalidArgument, 'etcdserver: duplicate key given in txn request'],
  invalidSortOption: [invalidArgument, 'etcdserver: invalid sort option'],
  compacted: [outOfRange, 'etcdserver: mvcc: required revision has been compacted'],
  futureRevision: [outOfRange, 'etcdserver: mvcc: required revision is a future revision'],
  noSpace: [resourceExhausted, 'etcdserver: mvcc: database space exceeded'],
  leaseNotFound: [notFound, 'etcdserver: requested lease not found'],
  leaseExists: [failedPrecondition, 'etcdserver: lease already exists'],
  leaseTtlTooLarge: [outOfRange, 'etcdserver: too large lease TTL'],
  requestTooLarge: [invalidArgument, 'etcdserver: request is too large'],
  badLeaderTransferee: [failedPrecondition, 'etcdserver: bad leader transferee'],
  corrupt: [dataLoss, 'etcdserver: corrupt cluster'],
  stopped: [unavailable, 'etcdserver: server stopped'],
} as const;

export type Refusal = keyof typeof refusals;

export function refuseRequest(refusal: Refusal): EtcdRpcError {
  const [code, text] = refusals[refusal];
  return new EtcdRpcError(code, text);
}

export function isNoSpace(error: unknown): boolean {
  return error instanceof EtcdRpcError && error.message === refusals.noSpace[1];
}

/** The error for a read of damaged data; `detail` names the key and row, since the operator has to act. */
export function refuseDamaged(detail: string): EtcdRpcError {
  return new EtcdRpcError(dataLoss, detail);
}
