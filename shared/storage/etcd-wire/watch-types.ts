import { headerField, keyValue, noBytes } from './kv-types.ts';
import type { MessageType } from './message-type.ts';
import {
  bool,
  bytes,
  enumeration,
  enumList,
  int64,
  messageField,
  messageList,
  messageType,
  string,
} from './message-type.ts';
import type * as watch from './watch-messages.ts';

export const watchEvent: MessageType<watch.WatchEvent> = messageType(
  'Event',
  () => ({ type: 'PUT', kv: undefined, prevKv: undefined }),
  {
    type: [1, enumeration('PUT', 'DELETE')],
    kv: [2, messageField(() => keyValue)],
    prevKv: [3, messageField(() => keyValue)],
  },
);

const watchCreateRequest: MessageType<watch.WatchCreateRequest> = messageType(
  'WatchCreateRequest',
  () => ({
    key: noBytes,
    rangeEnd: noBytes,
    startRevision: 0,
    progressNotify: false,
    filters: [],
    prevKv: false,
    watchId: 0,
    fragment: false,
  }),
  {
    key: [1, bytes],
    rangeEnd: [2, bytes],
    startRevision: [3, int64],
    progressNotify: [4, bool],
    filters: [5, enumList('NOPUT', 'NODELETE')],
    prevKv: [6, bool],
    watchId: [7, int64],
    fragment: [8, bool],
  },
);

const watchCancelRequest: MessageType<watch.WatchCancelRequest> = messageType(
  'WatchCancelRequest',
  () => ({ watchId: 0 }),
  { watchId: [1, int64] },
);

const watchProgressRequest: MessageType<Record<never, never>> = messageType('WatchProgressRequest', () => ({}), {});

export const watchRequest: MessageType<watch.WatchRequest> = messageType(
  'WatchRequest',
  () => ({ createRequest: undefined, cancelRequest: undefined, progressRequest: undefined }),
  {
    createRequest: [1, messageField(() => watchCreateRequest)],
    cancelRequest: [2, messageField(() => watchCancelRequest)],
    progressRequest: [3, messageField(() => watchProgressRequest)],
  },
);

export const watchResponse: MessageType<watch.WatchResponse> = messageType(
  'WatchResponse',
  () => ({
    header: undefined,
    watchId: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
    events: [],
  }),
  {
    header: headerField,
    watchId: [2, int64],
    created: [3, bool],
    canceled: [4, bool],
    compactRevision: [5, int64],
    cancelReason: [6, string],
    fragment: [7, bool],
    events: [11, messageList(() => watchEvent)],
  },
);
