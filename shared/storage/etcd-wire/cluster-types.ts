import type * as cluster from './cluster-messages.ts';
import { headerField, noBytes } from './kv-types.ts';
import type { MessageType } from './message-type.ts';
import { bool, bytes, enumeration, int64, messageList, messageType, string, stringList, uid } from './message-type.ts';

export const empty: MessageType<cluster.Empty> = messageType('Empty', () => ({}), {});

export const headerResponse: MessageType<cluster.HeaderResponse> = messageType(
  'HeaderResponse',
  () => ({ header: undefined }),
  { header: headerField },
);

const alarmType = enumeration('NONE', 'NOSPACE', 'CORRUPT');

const alarmMember: MessageType<cluster.AlarmMember> = messageType(
  'AlarmMember',
  () => ({ memberId: '0', alarm: 'NONE' }),
  { memberId: [1, uid], alarm: [2, alarmType] },
);

export const alarmRequest: MessageType<cluster.AlarmRequest> = messageType(
  'AlarmRequest',
  () => ({ action: 'GET', memberId: '0', alarm: 'NONE' }),
  { action: [1, enumeration('GET', 'ACTIVATE', 'DEACTIVATE')], memberId: [2, uid], alarm: [3, alarmType] },
);

export const alarmResponse: MessageType<cluster.AlarmResponse> = messageType(
  'AlarmResponse',
  () => ({ header: undefined, alarms: [] }),
  { header: headerField, alarms: [2, messageList(() => alarmMember)] },
);

/** The message of etcd 3.6: it lacks the downgrade details that a 3.7 Go client reads. */
export const statusResponse: MessageType<cluster.StatusResponse> = messageType(
  'StatusResponse',
  () => ({
    header: undefined,
    version: '',
    dbSize: 0,
    leader: '0',
    raftIndex: 0,
    raftTerm: 0,
    raftAppliedIndex: 0,
    errors: [],
    dbSizeInUse: 0,
    isLearner: false,
    storageVersion: '',
    dbSizeQuota: 0,
  }),
  {
    header: headerField,
    version: [2, string],
    dbSize: [3, int64],
    leader: [4, uid],
    raftIndex: [5, int64],
    raftTerm: [6, int64],
    raftAppliedIndex: [7, int64],
    errors: [8, stringList],
    dbSizeInUse: [9, int64],
    isLearner: [10, bool],
    storageVersion: [11, string],
    dbSizeQuota: [12, int64],
  },
);

export const hashResponse: MessageType<cluster.HashResponse> = messageType(
  'HashResponse',
  () => ({ header: undefined, hash: 0 }),
  { header: headerField, hash: [2, int64] },
);

export const hashKvRequest: MessageType<cluster.HashKvRequest> = messageType('HashKVRequest', () => ({ revision: 0 }), {
  revision: [1, int64],
});

export const hashKvResponse: MessageType<cluster.HashKvResponse> = messageType(
  'HashKVResponse',
  () => ({ header: undefined, hash: 0, compactRevision: 0, hashRevision: 0 }),
  { header: headerField, hash: [2, int64], compactRevision: [3, int64], hashRevision: [4, int64] },
);

export const snapshotResponse: MessageType<cluster.SnapshotResponse> = messageType(
  'SnapshotResponse',
  () => ({ header: undefined, remainingBytes: 0, blob: noBytes, version: '' }),
  { header: headerField, remainingBytes: [2, int64], blob: [3, bytes], version: [4, string] },
);

export const moveLeaderRequest: MessageType<cluster.MoveLeaderRequest> = messageType(
  'MoveLeaderRequest',
  () => ({ targetId: '0' }),
  { targetId: [1, uid] },
);

const member: MessageType<cluster.Member> = messageType(
  'Member',
  () => ({ id: '0', name: '', peerUrls: [], clientUrls: [], isLearner: false }),
  { id: [1, uid], name: [2, string], peerUrls: [3, stringList], clientUrls: [4, stringList], isLearner: [5, bool] },
);

export const memberListRequest: MessageType<cluster.MemberListRequest> = messageType(
  'MemberListRequest',
  () => ({ linearizable: false }),
  { linearizable: [1, bool] },
);

export const memberListResponse: MessageType<cluster.MemberListResponse> = messageType(
  'MemberListResponse',
  () => ({ header: undefined, members: [] }),
  { header: headerField, members: [2, messageList(() => member)] },
);

export const authStatusResponse: MessageType<cluster.AuthStatusResponse> = messageType(
  'AuthStatusResponse',
  () => ({ header: undefined, enabled: false, authRevision: 0 }),
  { header: headerField, enabled: [2, bool], authRevision: [3, int64] },
);

export const tipResponse: MessageType<cluster.TipResponse> = messageType(
  'TipResponse',
  () => ({ header: undefined, path: '', device: '0', inode: '0', nonce: noBytes, system: '' }),
  { header: headerField, path: [2, string], device: [3, uid], inode: [4, uid], nonce: [5, bytes], system: [6, string] },
);
