import { EtcdStorage } from '#shared/storage/etcd-storage/etcd-storage.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import type { EtcdWay } from '#shared/storage/etcd/etcd3-client.ts';
import { Etcd3Transport } from '#shared/storage/etcd/etcd3-transport.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { canonicalEndpoint } from './etcd-endpoint.ts';
import { isOnThisMachine, StoreOrEtcdTransport } from './store-or-etcd-transport.ts';

export interface CreateStorageOptions extends EtcdWay {
  /** Unix socket of the embedded store's frame protocol. Takes precedence over `endpoints`. */
  readonly framesSocketPath?: string | undefined;
  /** A real etcd, by addresses that {@link canonicalEndpoint} reads; several of one cluster. */
  readonly endpoints?: readonly string[] | undefined;
  /** Prefix of every key. Default: `/registry`. */
  readonly prefix?: string | undefined;
  /** How long one call may take, repetitions over an outage included. Default: 10,000. */
  readonly callTimeoutMs?: number | undefined;
  /** Time between compactions by this process; 0 (default): no compactions. The reference's is 300,000. */
  readonly compactionIntervalMs?: number | undefined;
  /** Counts the calls of etcd by gRPC. */
  readonly measured?: ((transport: EtcdTransport) => EtcdTransport) | undefined;
  /** Longest time during which a lease is reused for further keys. Default: 60. */
  readonly leaseReuseSeconds?: number | undefined;
  /** Told of each lease how many objects asked for the one before it. */
  readonly onLease?: ((objects: number) => void) | undefined;
}

/** Opens storage. It connects with the first call; `ready` waits for etcd. Throws a TypeError when no etcd is given. */
export function createStorage(options: CreateStorageOptions): Storage {
  const transport = createTransport(options);
  return new EtcdStorage({
    transport,
    asksForTip: transport instanceof FrameTransport || transport instanceof StoreOrEtcdTransport,
    prefix: options.prefix ?? '/registry',
    callTimeoutMs: options.callTimeoutMs ?? 10_000,
    compactionIntervalMs: options.compactionIntervalMs ?? 0,
    leaseReuseSeconds: options.leaseReuseSeconds,
    onLease: options.onLease,
  });
}

function createTransport(options: CreateStorageOptions): EtcdTransport {
  if (options.framesSocketPath !== undefined) return new FrameTransport({ socketPath: options.framesSocketPath });
  const { tls, socketTo } = options;
  const hasTls = tls?.caFile !== undefined || tls?.certFile !== undefined;
  const endpoints = (options.endpoints ?? []).map((text) => readEndpoint(text, hasTls));
  if (endpoints.length === 0)
    throw new TypeError('storage: neither an etcd endpoint nor the socket of a store was given');
  const [first = '', ...more] = endpoints;
  const etcd = new Etcd3Transport({ endpoints, tls, socketTo });
  const grpc = options.measured?.(etcd) ?? etcd;
  // A store of this project on this machine is not asked for its frames through a proxy.
  return more.length === 0 && socketTo === undefined && isOnThisMachine(first)
    ? new StoreOrEtcdTransport(first, grpc)
    : grpc;
}

function readEndpoint(text: string, hasTls: boolean): string {
  const endpoint = canonicalEndpoint(text, hasTls);
  if (endpoint === undefined) throw new TypeError(`storage: ${JSON.stringify(text)} is no address of an etcd`);
  return endpoint;
}
