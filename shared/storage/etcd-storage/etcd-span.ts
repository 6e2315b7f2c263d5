import { recordedSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';
import type { UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';

/** The span of a call to etcd, as the reference's otelgrpc makes it; undefined for a request that is not traced. */
export function etcdSpan(method: UnaryMethod): RequestSpan | undefined {
  const active = recordedSpan();
  if (active === undefined) return undefined;
  const name = `etcdserverpb.${method}`;
  const span = active.child(name, { 'rpc.method': name, 'rpc.system.name': 'grpc' }, 'client');
  span.event('message', { 'rpc.message.type': 'SENT', 'rpc.message.id': 1 });
  return span;
}

/** Ends the span with the call. */
export async function endWith<T>(span: RequestSpan, call: Promise<T>): Promise<T> {
  try {
    const answer = await call;
    span.event('message', { 'rpc.message.type': 'RECEIVED', 'rpc.message.id': 1 });
    span.set({ 'rpc.response.status_code': 'OK' });
    return answer;
  } catch (error) {
    span.fail(error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    span.end();
  }
}
