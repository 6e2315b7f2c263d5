import type { LatencyLayer } from './latency-layers.ts';
import type { UserInfo } from './user.ts';

/** What an object in a request says of itself: known only once its body was decoded. */
export interface NamedObject {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The parts of a Status that events hold; the code of the answer takes the place of its own. */
export interface NotedStatus {
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: object | undefined;
}

export interface GivenUpStatus {
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code: number;
}

/**
 * What events tell of a proxied request that is given up, by its client, its deadline or the server that answers it.
 * The reference writes its events inside of its time limits, and a proxy there answers its client even if that has
 * left.
 */
export interface GivenUp {
  /** How a proxy answers before it has an answer. */
  readonly status?: GivenUpStatus;
  /** The same as JSON, unless it is plain text. */
  readonly object?: Uint8Array;
  /** The fault by which a proxy ends in the midst of an answer. */
  readonly panic?: string;
}

/**
 * Takes what handlers know for the audit events of one request. Objects are JSON as the reference's encoder writes it:
 * without blanks, HTML characters escaped.
 */
export interface RequestAudit {
  /** Whether events hold the object of the request. */
  readonly keepsRequest: boolean;
  /** Whether events hold the object of the answer. */
  readonly keepsResponse: boolean;
  /** Whether objects are noted without `metadata.managedFields`. */
  readonly omitsManagers: boolean;
  /** Adds an annotation. A second, different value of a key is dropped. */
  annotate(key: string, value: string): void;
  noteObject(object: NamedObject): void;
  /** Adds bytes to the object of the request. */
  noteRequest(json: Uint8Array): void;
  noteStatus(status: NotedStatus): void;
  /** Adds bytes to the object of the answer. All are noted before the answer ends. */
  noteResponse(json: Uint8Array): void;
  /** Whether the object of the answer is taken from its body, which is this JSON and a line feed, uncompressed. */
  noteBody(): boolean;
  /** Forgets the objects of an attempt that came to no end, since the request is sent once more. */
  forgetObjects(): void;
  /** @param constraint the verb of constrained impersonation that was allowed */
  noteImpersonation(user: UserInfo, constraint: string | undefined): void;
  /** Notes time that was spent in a layer, milliseconds. */
  noteLatency(layer: LatencyLayer, ms: number): void;
  /** From now on the answer is written, until its end. @param sinceMs when its objects were begun to be transformed */
  noteWriting(sinceMs?: number): void;
  /** What events tell if the request is given up from now on; undefined for what the client got. */
  noteIfGivenUp(outcome: GivenUp | undefined): void;
  /** The handler failed by a fault of the server. */
  notePanic(message: string): void;
}
