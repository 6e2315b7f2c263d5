import { EtcdRpcError, grpcCode } from './transport.ts';

/** The largest request that etcd's Go client sends, and that its gRPC server accepts (etcd client/v3 options.go). */
export const maxRequestBytes = 2 * 1024 * 1024;

/**
 * Refuses a call that is too large before it is sent, with the error text of that client: the server would close the
 * connection, and every other call on it would be lost.
 * @throws EtcdRpcError
 */
export function checkRequestSize(bytes: number): void {
  if (bytes <= maxRequestBytes) return;
  const message = `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${maxRequestBytes})`;
  throw new EtcdRpcError(grpcCode.resourceExhausted, message, { notSent: true });
}
