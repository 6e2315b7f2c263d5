import { EtcdRpcError, grpcCode } from './transport.ts';

/** The largest call that etcd's Go client sends, and that its gRPC server takes (etcd client/v3 options.go). */
export const maxRequestBytes = 2 * 1024 * 1024;

/**
 * Refuses a call before it goes out, in the words of that client: a server that is sent more cuts the connection, and
 * every other call on it would be lost.
 * @throws EtcdRpcError
 */
export function checkRequestSize(bytes: number): void {
  if (bytes <= maxRequestBytes) return;
  const message = `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${maxRequestBytes})`;
  throw new EtcdRpcError(grpcCode.resourceExhausted, message, { notSent: true });
}
