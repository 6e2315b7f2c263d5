import * as cluster from './cluster-types.ts';
import * as kv from './kv-types.ts';
import * as lease from './lease-types.ts';
import type { MessageType } from './message-type.ts';
import type { StreamCalls, StreamMethod, UnaryCalls, UnaryMethod } from './methods.ts';
import * as watch from './watch-types.ts';

/** How a method is encoded. */
export interface WireMethod<Request, Response> {
  /** The number of the method in frames: never reuse one. */
  readonly number: number;
  readonly request: MessageType<Request>;
  readonly response: MessageType<Response>;
}

type Table<Calls extends { [M in keyof Calls]: { request: unknown; response: unknown } }> = {
  readonly [M in keyof Calls]: WireMethod<Calls[M]['request'], Calls[M]['response']>;
};

export const unaryMethods: Table<UnaryCalls> = {
  'KV/Range': { number: 1, request: kv.rangeRequest, response: kv.rangeResponse },
  'KV/Put': { number: 2, request: kv.putRequest, response: kv.putResponse },
  'KV/DeleteRange': { number: 3, request: kv.deleteRangeRequest, response: kv.deleteRangeResponse },
  'KV/Txn': { number: 4, request: kv.txnRequest, response: kv.txnResponse },
  'KV/Compact': { number: 5, request: kv.compactionRequest, response: kv.compactionResponse },
  'Lease/LeaseGrant': { number: 10, request: lease.leaseGrantRequest, response: lease.leaseGrantResponse },
  'Lease/LeaseRevoke': { number: 11, request: lease.leaseRevokeRequest, response: lease.leaseRevokeResponse },
  'Lease/LeaseTimeToLive': {
    number: 12,
    request: lease.leaseTimeToLiveRequest,
    response: lease.leaseTimeToLiveResponse,
  },
  'Lease/LeaseLeases': { number: 13, request: lease.leaseLeasesRequest, response: lease.leaseLeasesResponse },
  'Maintenance/Alarm': { number: 20, request: cluster.alarmRequest, response: cluster.alarmResponse },
  'Maintenance/Status': { number: 21, request: cluster.empty, response: cluster.statusResponse },
  'Maintenance/Defragment': { number: 22, request: cluster.empty, response: cluster.headerResponse },
  'Maintenance/Hash': { number: 23, request: cluster.empty, response: cluster.hashResponse },
  'Maintenance/HashKV': { number: 24, request: cluster.hashKvRequest, response: cluster.hashKvResponse },
  'Maintenance/MoveLeader': { number: 25, request: cluster.moveLeaderRequest, response: cluster.headerResponse },
  'Cluster/MemberList': { number: 30, request: cluster.memberListRequest, response: cluster.memberListResponse },
  'Auth/AuthStatus': { number: 40, request: cluster.empty, response: cluster.authStatusResponse },
  'Store/Tip': { number: 50, request: cluster.empty, response: cluster.tipResponse },
};

export const streamMethods: Table<StreamCalls> = {
  'Watch/Watch': { number: 100, request: watch.watchRequest, response: watch.watchResponse },
  'Lease/LeaseKeepAlive': { number: 101, request: lease.leaseKeepAliveRequest, response: lease.leaseKeepAliveResponse },
  'Maintenance/Snapshot': { number: 102, request: cluster.empty, response: cluster.snapshotResponse },
};

export function isUnaryMethod(name: string): name is UnaryMethod {
  return Object.hasOwn(unaryMethods, name);
}

export function isStreamMethod(name: string): name is StreamMethod {
  return Object.hasOwn(streamMethods, name);
}

const names = new Map<number, UnaryMethod | StreamMethod>();
for (const [name, method] of [...Object.entries(unaryMethods), ...Object.entries(streamMethods)]) {
  names.set(method.number, name as UnaryMethod | StreamMethod);
}

export function methodByNumber(number: number): UnaryMethod | StreamMethod | undefined {
  return names.get(number);
}
