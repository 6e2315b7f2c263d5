import type { UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';
import type { EtcdService, ServerStream, StreamListener, UnaryAnswer } from '#shared/storage/etcd-wire/service.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { ClusterHandlers } from './cluster-handlers.ts';
import { KeepAliveStream } from './keep-alive-stream.ts';
import type { KvHandlers } from './kv-handlers.ts';
import type { LeaseHandlers } from './lease-handlers.ts';
import type { MaintenanceHandlers } from './maintenance-handlers.ts';
import { SnapshotStream } from './snapshot-stream.ts';
import type { StoreServiceDependencies } from './store-service-dependencies.ts';
import { StoreWatchStream } from './watch-stream.ts';

type UnaryTable = { readonly [M in UnaryMethod]: (request: never) => UnaryAnswer<M> | Promise<UnaryAnswer<M>> };

export interface ServiceHandlers {
  readonly kv: KvHandlers;
  readonly lease: LeaseHandlers;
  readonly maintenance: MaintenanceHandlers;
  readonly cluster: ClusterHandlers;
}

/** The etcd API on the dependencies of the store, as one table of methods for all transports. */
export class StoreService implements EtcdService {
  readonly #dependencies: StoreServiceDependencies;
  readonly #unary: UnaryTable;

  constructor(dependencies: StoreServiceDependencies, { kv, lease, maintenance, cluster }: ServiceHandlers) {
    this.#dependencies = dependencies;
    this.#unary = {
      'KV/Range': (request) => kv.range(request),
      'KV/Put': (request) => kv.put(request),
      'KV/DeleteRange': (request) => kv.deleteRange(request),
      'KV/Txn': (request) => kv.txn(request),
      'KV/Compact': (request) => kv.compact(request),
      'Lease/LeaseGrant': (request) => lease.grant(request),
      'Lease/LeaseRevoke': (request) => lease.revoke(request),
      'Lease/LeaseTimeToLive': (request) => lease.timeToLive(request),
      'Lease/LeaseLeases': () => lease.leases(),
      'Maintenance/Alarm': (request) => maintenance.alarm(request),
      'Maintenance/Status': () => maintenance.status(),
      'Maintenance/Defragment': () => maintenance.defragment(),
      'Maintenance/Hash': () => maintenance.hash(),
      'Maintenance/HashKV': (request) => maintenance.hashKv(request),
      'Maintenance/MoveLeader': () => maintenance.moveLeader(),
      'Cluster/MemberList': () => cluster.memberList(),
      'Auth/AuthStatus': () => cluster.authStatus(),
      'Store/Tip': () => cluster.tip(),
    };
  }

  async unary<M extends UnaryMethod>(method: M, request: never): Promise<UnaryAnswer<M>> {
    return this.#unary[method](request);
  }

  stream(method: string, stream: ServerStream<never>): StreamListener<never> {
    const { store, hub, header, lessor } = this.#dependencies;
    if (method === 'Watch/Watch') return new StoreWatchStream(stream, store, hub, header);
    if (method === 'Lease/LeaseKeepAlive') {
      return new KeepAliveStream(stream, lessor, () => header.at(store.revision));
    }
    if (method === 'Maintenance/Snapshot') return new SnapshotStream(stream, this.#dependencies);
    throw new EtcdRpcError(grpcCode.unimplemented, `unknown method ${method}`);
  }
}
