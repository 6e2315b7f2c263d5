import { readFile } from 'node:fs/promises';
import type { Etcd3, ICallable, IOptions } from 'etcd3';

/** Certificates towards etcd: paths of PEM files (`--etcd-cafile`, `--etcd-certfile`, `--etcd-keyfile`). */
export interface EtcdTls {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

type Policies = NonNullable<IOptions['faultHandling']>;
type Policy = NonNullable<Policies['global']>;
type RawClient = Parameters<Parameters<ICallable<unknown>['withConnection']>[1]>[0]['client'];

/** The gRPC client of one endpoint: it reconnects by itself, and takes calls of every service. */
export interface EndpointClient {
  readonly grpc: RawClient;
  close(): void;
}

const silent = { event: () => ({ dispose: () => {} }) };

/**
 * etcd3's own policies send a transaction again after a failure and keep away from a host for five seconds after three of
 * them. Here each call runs exactly once; what may be repeated is decided in `etcd-storage/calls.ts`.
 */
function runOnce(): Policy {
  const signal = new AbortController().signal;
  const policy = {
    onSuccess: silent.event,
    onFailure: silent.event,
    execute: async <T>(run: (context: { signal: AbortSignal }) => PromiseLike<T> | T): Promise<T> => run({ signal }),
  };
  return policy as unknown as Policy;
}

const channelOptions = {
  // Lists and watch answers have no useful bound here: etcd's own request limit is the bound of each value.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** One client an endpoint, so that it is known which of them failed. etcd3 is loaded here, at the first call. */
export async function connectEndpoints(endpoints: readonly string[], tls: EtcdTls | undefined): Promise<EndpointClient[]> {
  const { Etcd3: Client } = await import('etcd3');
  const credentials = await readCredentials(tls);
  return Promise.all(endpoints.map(async (endpoint) => {
    const client = new Client({
      hosts: endpoint,
      grpcOptions: channelOptions,
      faultHandling: { global: runOnce(), host: () => runOnce() },
      ...(credentials !== undefined && endpoint.startsWith('https:') ? { credentials } : {}),
    });
    return { grpc: await rawClient(client), close: () => client.close() };
  }));
}

/** The gRPC client under etcd3's KV client: with our codec it needs half the CPU of the one made from the .proto file. */
function rawClient(client: Etcd3): Promise<RawClient> {
  const callable = Reflect.get(client.kv, 'client') as ICallable<unknown>;
  return callable.withConnection('KV', ({ client: grpc }) => grpc);
}

async function readCredentials(tls: EtcdTls | undefined): Promise<IOptions['credentials']> {
  if (tls?.caFile === undefined) return undefined;
  const [rootCertificate, certChain, privateKey] = await Promise.all([tls.caFile, tls.certFile, tls.keyFile].map(readOptional));
  if (rootCertificate === undefined) return undefined;
  return { rootCertificate, ...(certChain === undefined || privateKey === undefined ? {} : { certChain, privateKey }) };
}

async function readOptional(path: string | undefined): Promise<Buffer | undefined> {
  return path === undefined || path === '' ? undefined : readFile(path);
}
