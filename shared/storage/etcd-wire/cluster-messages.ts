import type { ResponseHeader } from './kv-messages.ts';

/** A message without fields. */
export type Empty = Record<never, never>;

export type AlarmType = 'NONE' | 'NOSPACE' | 'CORRUPT';
export type AlarmAction = 'GET' | 'ACTIVATE' | 'DEACTIVATE';

export interface AlarmMember {
  memberId: string;
  alarm: AlarmType;
}

export interface AlarmRequest {
  action?: AlarmAction | undefined;
  /** `'0'`: every member. */
  memberId?: string | undefined;
  alarm?: AlarmType | undefined;
}

export interface AlarmResponse {
  header?: ResponseHeader | undefined;
  alarms: AlarmMember[];
}

export interface StatusResponse {
  header?: ResponseHeader | undefined;
  version: string;
  /** Bytes of the file. */
  dbSize: number;
  leader: string;
  raftIndex: number;
  raftTerm: number;
  raftAppliedIndex: number;
  errors: string[];
  /** Bytes of the file that hold data. */
  dbSizeInUse: number;
  isLearner: boolean;
  storageVersion: string;
  dbSizeQuota: number;
}

export interface HeaderResponse {
  header?: ResponseHeader | undefined;
}

export interface HashResponse {
  header?: ResponseHeader | undefined;
  hash: number;
}

export interface HashKvRequest {
  /** 0: the newest. */
  revision?: number | undefined;
}

export interface HashKvResponse {
  header?: ResponseHeader | undefined;
  hash: number;
  compactRevision: number;
  hashRevision: number;
}

export interface SnapshotResponse {
  header?: ResponseHeader | undefined;
  remainingBytes: number;
  blob: Buffer;
  version: string;
}

export interface MoveLeaderRequest {
  targetId?: string | undefined;
}

export interface Member {
  id: string;
  name: string;
  peerUrls: string[];
  clientUrls: string[];
  isLearner: boolean;
}

export interface MemberListRequest {
  linearizable?: boolean | undefined;
}

export interface MemberListResponse {
  header?: ResponseHeader | undefined;
  members: Member[];
}

export interface AuthStatusResponse {
  header?: ResponseHeader | undefined;
  enabled: boolean;
  authRevision: number;
}

/** The newest revision of a store of this project, and the file in which it stands (`shared/storage/tip`). */
export interface TipResponse {
  header?: ResponseHeader | undefined;
  /** Empty if there is none. */
  path: string;
  device: string;
  inode: string;
  nonce: Buffer;
  system: string;
}
