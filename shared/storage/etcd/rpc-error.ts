import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';

/** Texts of grpc-js for calls that never reached a connection. */
const notSentTexts = ['No connection established', 'Name resolution failed', 'Channel has been shut down'];

/** Converts an error of grpc-js (`ServiceError`: code, details), or any other failure, to an {@link EtcdRpcError}. */
export function toRpcError(error: unknown): EtcdRpcError {
  if (error instanceof EtcdRpcError) return error;
  if (!(error instanceof Error)) return new EtcdRpcError(grpcCode.unknown, 'etcd answered nothing');
  const code: unknown = Reflect.get(error, 'code');
  const details: unknown = Reflect.get(error, 'details');
  // grpc-js adds lines about its resolver after the first.
  const [message = ''] = (typeof details === 'string' && details !== '' ? details : error.message).split('\n', 1);
  const notSent = code === grpcCode.unavailable && notSentTexts.some((text) => message.startsWith(text));
  return new EtcdRpcError(typeof code === 'number' ? code : grpcCode.unknown, message, { cause: error, notSent });
}
