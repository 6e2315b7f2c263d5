import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { StorageError } from '#shared/storage/storage.ts';
import type { StorageErrorCode } from '#shared/storage/storage.ts';

/**
 * Texts that distinguish errors that etcd reports under one gRPC code (etcd `api/v3rpc/rpctypes/error.go`). Only this
 * module reads error messages; other code tests `code`.
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

/** As {@link toStorageError}, for a write: sets `outcomeUnknown` if etcd may have carried it out. */
export function toWriteError(error: unknown, key: string): StorageError {
  const failure = toStorageError(error, key);
  const certain =
    error instanceof StorageError || (error instanceof EtcdRpcError && error.notSent) || !mayBeDone.has(failure.code);
  return certain
    ? failure
    : new StorageError(failure.code, failure.message, { key, outcomeUnknown: true, cause: error });
}

/** Codes of failures before or during execution at etcd; all other codes are refusals. */
const mayBeDone: ReadonlySet<StorageErrorCode> = new Set(['Unavailable', 'DeadlineExceeded', 'Cancelled', 'Internal']);

/** Whether a write failed because its lease had ended; the writer then uses another lease. */
export function isLeaseGone(error: unknown): boolean {
  return (
    error instanceof EtcdRpcError &&
    error.code === grpcCode.notFound &&
    error.message.includes('requested lease not found')
  );
}
