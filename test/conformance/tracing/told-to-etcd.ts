import type { EtcdCall } from './etcd-relay.ts';
import type { TracedServer } from './traced-server.ts';

/**
 * Spans of calls of etcd within the traces of which etcd was not told, and calls of the traces without a span: `none of
 * KV/Txn`.
 */
export function untold(
  { spans, etcdCalls }: Pick<TracedServer, 'spans' | 'etcdCalls'>,
  traces: ReadonlySet<string>,
): string[] {
  const ofCalls = etcdCalls
    .filter((call) => traces.has(traceOf(call)))
    .map(({ method, traceparent = '' }) => `${traceparent.split('-')[2]} ${method}`);
  const ofSpans = spans
    .filter(({ traceId, name }) => traces.has(traceId) && name.startsWith('etcdserverpb.'))
    .map(({ spanId, name }) => `${spanId} ${name.replace('etcdserverpb.', '')}`);
  const [calls, made] = [new Set(ofCalls), new Set(ofSpans)];
  return [
    ...[...made].filter((span) => !calls.has(span)).map((span) => `not told of ${span}`),
    ...[...calls].filter((call) => !made.has(call)).map((call) => `no span of ${call}`),
  ];
}

/** What is told with calls that belong to no such trace: `KV/Range -00`, each once, in their order by name. */
export function toldOfBackground(calls: readonly EtcdCall[], traces: ReadonlySet<string>): string[] {
  const lines = calls
    // The size of the database is asked for when it is time.
    .filter((call) => !traces.has(traceOf(call)) && call.method !== 'Maintenance/Status')
    .map(({ method, traceparent }) => `${method} ${traceparent?.slice(-3)}`);
  return [...new Set(lines)].toSorted();
}

/** What is told with the writes for a request, if anything is. */
export function toldOfWrites(calls: readonly EtcdCall[]): string {
  return calls
    .filter(({ method, traceparent, baggage }) => method === 'KV/Txn' && (traceparent ?? baggage) !== undefined)
    .map(({ traceparent, tracestate, baggage }) => [traceparent, tracestate, baggage].map(String).join(' '))
    .join(' | ');
}

function traceOf({ traceparent = '' }: EtcdCall): string {
  return traceparent.split('-')[1] ?? '';
}
