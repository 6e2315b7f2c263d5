import type * as cluster from './cluster-messages.ts';
import type * as kv from './kv-messages.ts';
import type * as lease from './lease-messages.ts';
import type * as watch from './watch-messages.ts';

interface Call<Request, Response> {
  request: Request;
  response: Response;
}

/** Calls with one request and one response. The gRPC path is `/etcdserverpb.` followed by the name. */
export interface UnaryCalls {
  'KV/Range': Call<kv.RangeRequest, kv.RangeResponse>;
  'KV/Put': Call<kv.PutRequest, kv.PutResponse>;
  'KV/DeleteRange': Call<kv.DeleteRangeRequest, kv.DeleteRangeResponse>;
  'KV/Txn': Call<kv.TxnRequest, kv.TxnResponse>;
  'KV/Compact': Call<kv.CompactionRequest, kv.CompactionResponse>;
  'Lease/LeaseGrant': Call<lease.LeaseGrantRequest, lease.LeaseGrantResponse>;
  'Lease/LeaseRevoke': Call<lease.LeaseRevokeRequest, lease.LeaseRevokeResponse>;
  'Lease/LeaseTimeToLive': Call<lease.LeaseTimeToLiveRequest, lease.LeaseTimeToLiveResponse>;
  'Lease/LeaseLeases': Call<lease.LeaseLeasesRequest, lease.LeaseLeasesResponse>;
  'Maintenance/Alarm': Call<cluster.AlarmRequest, cluster.AlarmResponse>;
  'Maintenance/Status': Call<cluster.Empty, cluster.StatusResponse>;
  'Maintenance/Defragment': Call<cluster.Empty, cluster.HeaderResponse>;
  'Maintenance/Hash': Call<cluster.Empty, cluster.HashResponse>;
  'Maintenance/HashKV': Call<cluster.HashKvRequest, cluster.HashKvResponse>;
  'Maintenance/MoveLeader': Call<cluster.MoveLeaderRequest, cluster.HeaderResponse>;
  'Cluster/MemberList': Call<cluster.MemberListRequest, cluster.MemberListResponse>;
  'Auth/AuthStatus': Call<cluster.Empty, cluster.AuthStatusResponse>;
  /** A linearizable read of the newest revision. Not etcd's: only a store of this project answers it. */
  'Store/Tip': Call<cluster.Empty, cluster.TipResponse>;
}

/**
 * Calls with a stream of responses and of requests. Snapshot takes only one request, then `end`.
 */
export interface StreamCalls {
  'Watch/Watch': Call<watch.WatchRequest, watch.WatchResponse>;
  'Lease/LeaseKeepAlive': Call<lease.LeaseKeepAliveRequest, lease.LeaseKeepAliveResponse>;
  'Maintenance/Snapshot': Call<cluster.Empty, cluster.SnapshotResponse>;
}

export type UnaryMethod = keyof UnaryCalls;
export type StreamMethod = keyof StreamCalls;
