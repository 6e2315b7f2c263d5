import { headerField } from './kv-types.ts';
import type * as lease from './lease-messages.ts';
import type { MessageType } from './message-type.ts';
import { bool, bytesList, id, int64, messageList, messageType, string } from './message-type.ts';

export const leaseGrantRequest: MessageType<lease.LeaseGrantRequest> = messageType(
  'LeaseGrantRequest',
  () => ({ ttl: 0, id: '0' }),
  { ttl: [1, int64], id: [2, id] },
);

export const leaseGrantResponse: MessageType<lease.LeaseGrantResponse> = messageType(
  'LeaseGrantResponse',
  () => ({ header: undefined, id: '0', ttl: 0, error: '' }),
  { header: headerField, id: [2, id], ttl: [3, int64], error: [4, string] },
);

export const leaseRevokeRequest: MessageType<lease.LeaseRevokeRequest> = messageType(
  'LeaseRevokeRequest',
  () => ({ id: '0' }),
  { id: [1, id] },
);

export const leaseRevokeResponse: MessageType<lease.LeaseRevokeResponse> = messageType(
  'LeaseRevokeResponse',
  () => ({ header: undefined }),
  { header: headerField },
);

export const leaseKeepAliveRequest: MessageType<lease.LeaseKeepAliveRequest> = messageType(
  'LeaseKeepAliveRequest',
  () => ({ id: '0' }),
  { id: [1, id] },
);

export const leaseKeepAliveResponse: MessageType<lease.LeaseKeepAliveResponse> = messageType(
  'LeaseKeepAliveResponse',
  () => ({ header: undefined, id: '0', ttl: 0 }),
  { header: headerField, id: [2, id], ttl: [3, int64] },
);

export const leaseTimeToLiveRequest: MessageType<lease.LeaseTimeToLiveRequest> = messageType(
  'LeaseTimeToLiveRequest',
  () => ({ id: '0', keys: false }),
  { id: [1, id], keys: [2, bool] },
);

export const leaseTimeToLiveResponse: MessageType<lease.LeaseTimeToLiveResponse> = messageType(
  'LeaseTimeToLiveResponse',
  () => ({ header: undefined, id: '0', ttl: 0, grantedTtl: 0, keys: [] }),
  { header: headerField, id: [2, id], ttl: [3, int64], grantedTtl: [4, int64], keys: [5, bytesList] },
);

export const leaseLeasesRequest: MessageType<lease.LeaseLeasesRequest> = messageType(
  'LeaseLeasesRequest',
  () => ({}),
  {},
);

const leaseStatus: MessageType<lease.LeaseStatus> = messageType('LeaseStatus', () => ({ id: '0' }), { id: [1, id] });

export const leaseLeasesResponse: MessageType<lease.LeaseLeasesResponse> = messageType(
  'LeaseLeasesResponse',
  () => ({ header: undefined, leases: [] }),
  { header: headerField, leases: [2, messageList(() => leaseStatus)] },
);
