import type { ResponseHeader } from './kv-messages.ts';

/** Ids are decimal strings, TTLs seconds. */
export interface LeaseGrantRequest {
  ttl: number;
  /** `'0'` or left out: the server chooses. */
  id?: string | undefined;
}

export interface LeaseGrantResponse {
  header?: ResponseHeader | undefined;
  id: string;
  ttl: number;
  error: string;
}

export interface LeaseRevokeRequest {
  id: string;
}

export interface LeaseRevokeResponse {
  header?: ResponseHeader | undefined;
}

export interface LeaseKeepAliveRequest {
  id: string;
}

export interface LeaseKeepAliveResponse {
  header?: ResponseHeader | undefined;
  id: string;
  /** 0: the lease is gone. */
  ttl: number;
}

export interface LeaseTimeToLiveRequest {
  id: string;
  keys?: boolean | undefined;
}

export interface LeaseTimeToLiveResponse {
  header?: ResponseHeader | undefined;
  id: string;
  /** −1: the lease is gone. */
  ttl: number;
  grantedTtl: number;
  keys: Buffer[];
}

export type LeaseLeasesRequest = Record<never, never>;

export interface LeaseStatus {
  id: string;
}

export interface LeaseLeasesResponse {
  header?: ResponseHeader | undefined;
  leases: LeaseStatus[];
}
