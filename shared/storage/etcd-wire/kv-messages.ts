/**
 * Messages of etcd's KV service (`etcdserverpb`, `mvccpb`) as plain objects.
 *
 * Rules for every message of this folder:
 * - revisions, versions, counts and TTLs are numbers (they stay below 2^53);
 * - lease, cluster and member ids use all 64 bits and are decimal strings; lease `'0'` means none;
 * - fields that may be left out take proto3's default; decoded messages have every scalar and list filled in;
 * - decoded bytes are views on the received chunk: copy what is kept for long (`Buffer.from(view)`).
 */
export interface ResponseHeader {
  clusterId: string;
  memberId: string;
  /** The store's revision when the request was answered. */
  revision: number;
  raftTerm: number;
}

export interface KeyValue {
  key: Buffer;
  createRevision: number;
  modRevision: number;
  /** Number of writes since the key was created; 0 for a deletion. */
  version: number;
  value: Buffer;
  /** Decimal lease id; `'0'` for none. */
  lease: string;
}

export type SortOrder = 'NONE' | 'ASCEND' | 'DESCEND';
export type SortTarget = 'KEY' | 'VERSION' | 'CREATE' | 'MOD' | 'VALUE';

export interface RangeRequest {
  key: Uint8Array;
  /** Exclusive end. Empty: one key; a single zero byte: every key from `key` on. */
  rangeEnd?: Uint8Array | undefined;
  /** 0: no limit. */
  limit?: number | undefined;
  /** 0: the newest. */
  revision?: number | undefined;
  sortOrder?: SortOrder | undefined;
  sortTarget?: SortTarget | undefined;
  serializable?: boolean | undefined;
  keysOnly?: boolean | undefined;
  countOnly?: boolean | undefined;
  minModRevision?: number | undefined;
  maxModRevision?: number | undefined;
  minCreateRevision?: number | undefined;
  maxCreateRevision?: number | undefined;
}

export interface RangeResponse {
  header?: ResponseHeader | undefined;
  kvs: KeyValue[];
  more: boolean;
  /** Keys in the range, whatever the limit. */
  count: number;
}

export interface PutRequest {
  key: Uint8Array;
  value?: Uint8Array | undefined;
  lease?: string | undefined;
  prevKv?: boolean | undefined;
  ignoreValue?: boolean | undefined;
  ignoreLease?: boolean | undefined;
}

export interface PutResponse {
  header?: ResponseHeader | undefined;
  prevKv?: KeyValue | undefined;
}

export interface DeleteRangeRequest {
  key: Uint8Array;
  rangeEnd?: Uint8Array | undefined;
  prevKv?: boolean | undefined;
}

export interface DeleteRangeResponse {
  header?: ResponseHeader | undefined;
  deleted: number;
  prevKvs: KeyValue[];
}

/** One of the four is set. */
export interface RequestOp {
  requestRange?: RangeRequest | undefined;
  requestPut?: PutRequest | undefined;
  requestDeleteRange?: DeleteRangeRequest | undefined;
  requestTxn?: TxnRequest | undefined;
}

/** One of the four is set. */
export interface ResponseOp {
  responseRange?: RangeResponse | undefined;
  responsePut?: PutResponse | undefined;
  responseDeleteRange?: DeleteRangeResponse | undefined;
  responseTxn?: TxnResponse | undefined;
}

export type CompareResult = 'EQUAL' | 'GREATER' | 'LESS' | 'NOT_EQUAL';
export type CompareTarget = 'VERSION' | 'CREATE' | 'MOD' | 'VALUE' | 'LEASE';

/** Compares the property of the key that `target` names with the field below of the same meaning. */
export interface Compare {
  result?: CompareResult | undefined;
  target?: CompareTarget | undefined;
  key: Uint8Array;
  version?: number | undefined;
  createRevision?: number | undefined;
  modRevision?: number | undefined;
  value?: Uint8Array | undefined;
  lease?: string | undefined;
  rangeEnd?: Uint8Array | undefined;
}

export interface TxnRequest {
  compare?: Compare[] | undefined;
  success?: RequestOp[] | undefined;
  failure?: RequestOp[] | undefined;
}

export interface TxnResponse {
  header?: ResponseHeader | undefined;
  succeeded: boolean;
  responses: ResponseOp[];
}

export interface CompactionRequest {
  revision: number;
  /** Respond only when the old revisions are removed from the file. */
  physical?: boolean | undefined;
}

export interface CompactionResponse {
  header?: ResponseHeader | undefined;
}
