import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { checkServerIdentity, rootCertificates, type PeerCertificate } from 'node:tls';
import type { Etcd3, ICallable, IOptions } from 'etcd3';
import { outsideSpans, traceHeaders } from '#shared/spans/active-span.ts';

/** Certificates for connections to etcd: paths of PEM files (`--etcd-cafile`, `--etcd-certfile`, `--etcd-keyfile`). */
export interface EtcdTls {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

type Policies = NonNullable<IOptions['faultHandling']>;
type Policy = NonNullable<Policies['global']>;
type Connection = Parameters<Parameters<ICallable<unknown>['withConnection']>[1]>[0];
type RawClient = Connection['client'];
type Metadata = Connection['metadata'];

/** The gRPC client of one endpoint: it reconnects by itself, and makes calls to every service. */
export interface EndpointClient {
  readonly grpc: RawClient;
  /** Of a call that the running code makes: the trace that it belongs to. */
  callMetadata(): Metadata;
  /**
   * Of a stream, which belongs to no request. With it, a member that has lost its leader ends the stream instead of
   * sending nothing.
   */
  streamMetadata(): Metadata;
  close(): void;
}

const silent = { event: () => ({ dispose: () => {} }) };

/**
 * A policy that runs each call exactly once; `etcd-storage/calls.ts` decides which calls are repeated. etcd3's own
 * policies repeat a transaction after a failure, and avoid a host for five seconds after three failures.
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

/** The server name (SNI) for addresses that are IPs; etcd has one certificate and ignores it. */
const nameOfAddresses = 'etcd';

const channelOptions = {
  // Responses to lists and watches need no limit here: etcd's own request limit bounds each value.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // A connection may be lost without a FIN or RST (a machine or a network is gone). etcd allows a ping every 5 s.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 50,
  'grpc.min_reconnect_backoff_ms': 50,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/** How the endpoints of an etcd are reached. */
export interface EtcdWay {
  readonly tls?: EtcdTls | undefined;
  /**
   * The path of a Unix socket through which a host and port are reached (`--egress-selector-config-file`). Default:
   * connections are direct.
   */
  readonly socketTo?: ((hostPort: string) => Promise<string>) | undefined;
}

/** Creates one client per endpoint, so that the failed one is known. Imports etcd3, which only the first call needs. */
export async function connectEndpoints(
  endpoints: readonly string[],
  { tls, socketTo }: EtcdWay,
): Promise<EndpointClient[]> {
  const { Etcd3: Client } = await import('etcd3');
  const credentials = await readCredentials(tls);
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const address = addressOf(endpoint);
      const { hosts, name } = await wayTo(endpoint, address, socketTo);
      const client = new Client({
        hosts,
        grpcOptions: name === undefined ? channelOptions : { ...channelOptions, 'grpc.ssl_target_name_override': name },
        faultHandling: { global: runOnce(), host: () => runOnce() },
        ...(credentials !== undefined && endpoint.startsWith('https:') ? { credentials } : {}),
      });
      if (address !== undefined) checkAddress(client, address);
      const { grpc, metadata } = await rawClient(client);
      const ofStreams = metadata.clone();
      ofStreams.set('hasleader', 'true');
      return {
        grpc,
        callMetadata: () => traced(metadata),
        streamMetadata: () => outsideSpans(() => traced(ofStreams)),
        close: () => client.close(),
      };
    }),
  );
}

/**
 * With the headers by which etcd joins the trace of the running code (apiserver/pkg/storage/storagebackend/factory,
 * etcd3.go). A process that traces tells etcd, too, what it does not trace, or etcd would begin traces of its own.
 */
function traced(metadata: Metadata): Metadata {
  const headers = traceHeaders();
  if (headers === undefined) return metadata;
  const copy = metadata.clone();
  for (const [name, value] of Object.entries(headers)) copy.set(name, value);
  return copy;
}

/** What gRPC connects to, and the server name where that is another one than in the endpoint. */
async function wayTo(
  endpoint: string,
  address: string | undefined,
  socketTo: EtcdWay['socketTo'],
): Promise<{ readonly hosts: string; readonly name: string | undefined }> {
  const name = address === undefined ? undefined : nameOfAddresses;
  if (socketTo === undefined || endpoint.startsWith('unix:')) return { hosts: endpoint, name };
  const { protocol, hostname, port } = new URL(endpoint);
  const path = await socketTo(`${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`);
  return { hosts: `${protocol}//unix:${path}`, name: name ?? hostname };
}

/** The IP address of a TLS endpoint; undefined if its host is a name. */
function addressOf(endpoint: string): string | undefined {
  if (!endpoint.startsWith('https:')) return undefined;
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

/**
 * Makes TLS verify the certificate against the IP address instead of the server name: Node.js accepts no address as
 * server name, though grpc-js would pass it, and neither library has an option for this.
 */
function checkAddress(client: Etcd3, address: string): void {
  const pool = Reflect.get(client, 'pool') as object;
  for (const host of Reflect.get(pool, 'hosts') as object[]) {
    const verify = Reflect.get(Reflect.get(host, 'channelCredentials') as object, 'verifyOptions') as {
      checkServerIdentity?: unknown;
    };
    verify.checkServerIdentity = (_name: string, certificate: PeerCertificate) =>
      checkServerIdentity(address, certificate);
  }
}

/**
 * The gRPC client inside etcd3's KV client: with this project's codec it needs half the CPU of etcd3's, which is made
 * from the .proto file.
 */
function rawClient(client: Etcd3): Promise<{ grpc: RawClient; metadata: Metadata }> {
  const callable = Reflect.get(client.kv, 'client') as ICallable<unknown>;
  return callable.withConnection('KV', ({ client: grpc, metadata }) => ({ grpc, metadata: metadata.clone() }));
}

async function readCredentials(tls: EtcdTls | undefined): Promise<IOptions['credentials']> {
  if (tls?.caFile === undefined && tls?.certFile === undefined) return undefined;
  const [ca, certChain, privateKey] = await Promise.all([tls.caFile, tls.certFile, tls.keyFile].map(readOptional));
  const rootCertificate = ca ?? Buffer.from(rootCertificates.join('\n'));
  return { rootCertificate, ...(certChain === undefined || privateKey === undefined ? {} : { certChain, privateKey }) };
}

async function readOptional(path: string | undefined): Promise<Buffer | undefined> {
  return path === undefined || path === '' ? undefined : readFile(path);
}
