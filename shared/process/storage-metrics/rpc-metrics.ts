import type { Count } from '#shared/observability/metrics/counter.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import { grpcCode } from '#shared/storage/etcd-wire/transport.ts';

const byMethod = ['grpc_method', 'grpc_service', 'grpc_type'];
const started = processRegistry.counter(
  'grpc_client_started_total',
  'Total number of RPCs started on the client.',
  byMethod,
);
const handled = processRegistry.counter(
  'grpc_client_handled_total',
  'Total number of RPCs completed by the client, regardless of success or failure.',
  ['grpc_code', ...byMethod],
);
const sent = processRegistry.counter(
  'grpc_client_msg_sent_total',
  'Total number of gRPC stream messages sent by the client.',
  byMethod,
);
const received = processRegistry.counter(
  'grpc_client_msg_received_total',
  'Total number of RPC stream messages received by the client.',
  byMethod,
);

/** Names of codes, as Go prints them. */
const codeNames: ReadonlyMap<number, string> = new Map(
  Object.entries(grpcCode).map(([name, code]) => [
    code,
    name === 'ok' ? 'OK' : name === 'cancelled' ? 'Canceled' : name.slice(0, 1).toUpperCase() + name.slice(1),
  ]),
);

/** The counts of one method (go-grpc-prometheus, which etcd's client has in the reference). */
export class RpcCounts {
  readonly #labels: readonly [method: string, service: string, type: string];
  readonly started: Count;
  readonly sent: Count;
  readonly received: Count;
  readonly #handled = new Map<number, Count>();

  /** @param name `Service/Method` */
  constructor(name: string, type: 'unary' | 'bidi_stream') {
    const [service = '', method = ''] = name.split('/');
    this.#labels = [method, `etcdserverpb.${service}`, type];
    this.started = started.of(...this.#labels);
    this.sent = sent.of(...this.#labels);
    this.received = received.of(...this.#labels);
  }

  ended(code: number): void {
    let count = this.#handled.get(code);
    if (count === undefined) {
      count = handled.of(codeNames.get(code) ?? 'Unknown', ...this.#labels);
      this.#handled.set(code, count);
    }
    count.value++;
  }
}
