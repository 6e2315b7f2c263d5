import type * as kv from './kv-messages.ts';
import type { MessageType } from './message-type.ts';
import { bool, bytes, enumeration, id, int64, messageField, messageList, messageType, uid } from './message-type.ts';

/** The value of an absent byte field after decoding. */
export const noBytes: Buffer = Buffer.alloc(0);

export const responseHeader: MessageType<kv.ResponseHeader> = messageType(
  'ResponseHeader',
  () => ({ clusterId: '0', memberId: '0', revision: 0, raftTerm: 0 }),
  { clusterId: [1, uid], memberId: [2, uid], revision: [3, int64], raftTerm: [4, int64] },
);

/** `header` as the first field of every response. */
export const headerField = [1, messageField(() => responseHeader)] as const;

export const keyValue: MessageType<kv.KeyValue> = messageType(
  'KeyValue',
  () => ({ key: noBytes, createRevision: 0, modRevision: 0, version: 0, value: noBytes, lease: '0' }),
  {
    key: [1, bytes],
    createRevision: [2, int64],
    modRevision: [3, int64],
    version: [4, int64],
    value: [5, bytes],
    lease: [6, id],
  },
);

export const rangeRequest: MessageType<kv.RangeRequest> = messageType(
  'RangeRequest',
  () => ({
    key: noBytes,
    rangeEnd: noBytes,
    limit: 0,
    revision: 0,
    sortOrder: 'NONE',
    sortTarget: 'KEY',
    serializable: false,
    keysOnly: false,
    countOnly: false,
    minModRevision: 0,
    maxModRevision: 0,
    minCreateRevision: 0,
    maxCreateRevision: 0,
  }),
  {
    key: [1, bytes],
    rangeEnd: [2, bytes],
    limit: [3, int64],
    revision: [4, int64],
    sortOrder: [5, enumeration('NONE', 'ASCEND', 'DESCEND')],
    sortTarget: [6, enumeration('KEY', 'VERSION', 'CREATE', 'MOD', 'VALUE')],
    serializable: [7, bool],
    keysOnly: [8, bool],
    countOnly: [9, bool],
    minModRevision: [10, int64],
    maxModRevision: [11, int64],
    minCreateRevision: [12, int64],
    maxCreateRevision: [13, int64],
  },
);

export const rangeResponse: MessageType<kv.RangeResponse> = messageType(
  'RangeResponse',
  () => ({ header: undefined, kvs: [], more: false, count: 0 }),
  { header: headerField, kvs: [2, messageList(() => keyValue)], more: [3, bool], count: [4, int64] },
);

export const putRequest: MessageType<kv.PutRequest> = messageType(
  'PutRequest',
  () => ({ key: noBytes, value: noBytes, lease: '0', prevKv: false, ignoreValue: false, ignoreLease: false }),
  {
    key: [1, bytes],
    value: [2, bytes],
    lease: [3, id],
    prevKv: [4, bool],
    ignoreValue: [5, bool],
    ignoreLease: [6, bool],
  },
);

export const putResponse: MessageType<kv.PutResponse> = messageType(
  'PutResponse',
  () => ({ header: undefined, prevKv: undefined }),
  { header: headerField, prevKv: [2, messageField(() => keyValue)] },
);

export const deleteRangeRequest: MessageType<kv.DeleteRangeRequest> = messageType(
  'DeleteRangeRequest',
  () => ({ key: noBytes, rangeEnd: noBytes, prevKv: false }),
  { key: [1, bytes], rangeEnd: [2, bytes], prevKv: [3, bool] },
);

export const deleteRangeResponse: MessageType<kv.DeleteRangeResponse> = messageType(
  'DeleteRangeResponse',
  () => ({ header: undefined, deleted: 0, prevKvs: [] }),
  { header: headerField, deleted: [2, int64], prevKvs: [3, messageList(() => keyValue)] },
);

export const requestOp: MessageType<kv.RequestOp> = messageType(
  'RequestOp',
  () => ({ requestRange: undefined, requestPut: undefined, requestDeleteRange: undefined, requestTxn: undefined }),
  {
    requestRange: [1, messageField(() => rangeRequest)],
    requestPut: [2, messageField(() => putRequest)],
    requestDeleteRange: [3, messageField(() => deleteRangeRequest)],
    requestTxn: [4, messageField(() => txnRequest)],
  },
);

export const responseOp: MessageType<kv.ResponseOp> = messageType(
  'ResponseOp',
  () => ({ responseRange: undefined, responsePut: undefined, responseDeleteRange: undefined, responseTxn: undefined }),
  {
    responseRange: [1, messageField(() => rangeResponse)],
    responsePut: [2, messageField(() => putResponse)],
    responseDeleteRange: [3, messageField(() => deleteRangeResponse)],
    responseTxn: [4, messageField(() => txnResponse)],
  },
);

export const compareMessage: MessageType<kv.Compare> = messageType(
  'Compare',
  () => ({
    result: 'EQUAL',
    target: 'VERSION',
    key: noBytes,
    version: 0,
    createRevision: 0,
    modRevision: 0,
    value: noBytes,
    lease: '0',
    rangeEnd: noBytes,
  }),
  {
    result: [1, enumeration('EQUAL', 'GREATER', 'LESS', 'NOT_EQUAL')],
    target: [2, enumeration('VERSION', 'CREATE', 'MOD', 'VALUE', 'LEASE')],
    key: [3, bytes],
    version: [4, int64],
    createRevision: [5, int64],
    modRevision: [6, int64],
    value: [7, bytes],
    lease: [8, id],
    rangeEnd: [64, bytes],
  },
);

export const txnRequest: MessageType<kv.TxnRequest> = messageType(
  'TxnRequest',
  () => ({ compare: [], success: [], failure: [] }),
  {
    compare: [1, messageList(() => compareMessage)],
    success: [2, messageList(() => requestOp)],
    failure: [3, messageList(() => requestOp)],
  },
);

export const txnResponse: MessageType<kv.TxnResponse> = messageType(
  'TxnResponse',
  () => ({ header: undefined, succeeded: false, responses: [] }),
  { header: headerField, succeeded: [2, bool], responses: [3, messageList(() => responseOp)] },
);

export const compactionRequest: MessageType<kv.CompactionRequest> = messageType(
  'CompactionRequest',
  () => ({ revision: 0, physical: false }),
  { revision: [1, int64], physical: [2, bool] },
);

export const compactionResponse: MessageType<kv.CompactionResponse> = messageType(
  'CompactionResponse',
  () => ({ header: undefined }),
  { header: headerField },
);
