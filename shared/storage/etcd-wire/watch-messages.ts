import type { KeyValue, ResponseHeader } from './kv-messages.ts';

export type EventType = 'PUT' | 'DELETE';

/** `mvccpb.Event`. A deletion's `kv` has the key and, as mod revision, the revision of the deletion. */
export interface WatchEvent {
  type: EventType;
  kv?: KeyValue | undefined;
  /** The value before this event, where `prevKv` was asked for and the revision is not compacted. */
  prevKv?: KeyValue | undefined;
}

export type WatchFilter = 'NOPUT' | 'NODELETE';

export interface WatchCreateRequest {
  key: Uint8Array;
  rangeEnd?: Uint8Array | undefined;
  /** First revision to send; 0: only events after the creation of the watch. */
  startRevision?: number | undefined;
  progressNotify?: boolean | undefined;
  filters?: WatchFilter[] | undefined;
  prevKv?: boolean | undefined;
  /** 0: the server chooses. */
  watchId?: number | undefined;
  /** Allow responses larger than the request limit to be split. */
  fragment?: boolean | undefined;
}

export interface WatchCancelRequest {
  watchId?: number | undefined;
}

/** One of the three is set. */
export interface WatchRequest {
  createRequest?: WatchCreateRequest | undefined;
  cancelRequest?: WatchCancelRequest | undefined;
  progressRequest?: Record<never, never> | undefined;
}

export interface WatchResponse {
  header?: ResponseHeader | undefined;
  /** −1 in an answer to a progress request and in a refusal of a creation. */
  watchId: number;
  created: boolean;
  canceled: boolean;
  /** Above 0 if the watch was cancelled because its start revision is compacted. */
  compactRevision: number;
  cancelReason: string;
  /** More parts of this response follow. */
  fragment: boolean;
  events: WatchEvent[];
}
