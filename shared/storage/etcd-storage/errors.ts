import { EtcdRpcError, grpcCode } from '../etcd-wire/transport.ts';
import { StorageError } from '../storage.ts';
import type { StorageErrorCode } from '../storage.ts';

/**
 * Texts that tell apart what etcd reports under one gRPC code (etcd `api/v3rpc/rpctypes/error.go`). This is the only
 * place that reads messages: behind it, branches test `code`.
 */
const texts: readonly (readonly [string, StorageErrorCode])[] = [
  ['required revision has been compacted', 'Compacted'],
  ['required revision is a future revision', 'FutureRevision'],
  ['database space exceeded', 'NoSpace'],
  ['request is too large', 'TooLarge'],
  ['trying to send message larger than max', 'TooLarge'],
  ['request timed out', 'Unavailable'],
  ['no leader', 'Unavailable'],
  ['leader changed', 'Unavailable'],
  ['not capable', 'Unavailable'],
  ['permission denied', 'Unauthenticated'],
  ['invalid auth token', 'Unauthenticated'],
  ['user name is empty', 'Unauthenticated'],
];

const codes: Readonly<Record<number, StorageErrorCode>> = {
  [grpcCode.cancelled]: 'Cancelled',
  [grpcCode.deadlineExceeded]: 'DeadlineExceeded',
  [grpcCode.unavailable]: 'Unavailable',
  [grpcCode.unauthenticated]: 'Unauthenticated',
  [grpcCode.permissionDenied]: 'Unauthenticated',
};

export function toStorageError(error: unknown, key: string): StorageError {
  if (error instanceof StorageError) return error;
  if (!(error instanceof EtcdRpcError)) return new StorageError('Internal', String(error), { key, cause: error });
  const byText = texts.find(([text]) => error.message.includes(text));
  return new StorageError(byText?.[1] ?? codes[error.code] ?? 'Internal', error.message, { key, cause: error });
}

/** As {@link toStorageError}, for a call with effect: it says when nobody knows whether etcd carried it out. */
export function toWriteError(error: unknown, key: string): StorageError {
  const failure = toStorageError(error, key);
  const certain =
    error instanceof StorageError || (error instanceof EtcdRpcError && error.notSent) || !mayBeDone.has(failure.code);
  return certain
    ? failure
    : new StorageError(failure.code, failure.message, { key, outcomeUnknown: true, cause: error });
}

/** Codes of failures on the way or in the midst; the others are refusals. */
const mayBeDone: ReadonlySet<StorageErrorCode> = new Set(['Unavailable', 'DeadlineExceeded', 'Cancelled', 'Internal']);

/** Whether a lease had ended before the write that uses it; the writer then takes another. */
export function isLeaseGone(error: unknown): boolean {
  return (
    error instanceof EtcdRpcError &&
    error.code === grpcCode.notFound &&
    error.message.includes('requested lease not found')
  );
}
