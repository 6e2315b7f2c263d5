import type { AdmissionRecorder } from './admission-step.ts';
import type { CountedAs } from './counted-as.ts';
import type { Exchange } from './exchange.ts';
import type { FlowFacts } from './flow-facts.ts';
import type { RequestAudit } from './request-audit.ts';
import type { RequestInfo } from './request-info.ts';
import type { UserInfo } from './user.ts';
import type { WatchStartSignal } from './watch-start.ts';

/** One request on its way through the filter chain. Filters fill it in, in chain order. */
export interface RequestContext {
  readonly exchange: Exchange;
  /** By the monotonic clock of this process (`performance.now`). */
  receivedAtMs: number;
  auditId: string;
  info: RequestInfo;
  /** Set by authentication; replaced by impersonation. */
  user: UserInfo;
  /** The authenticated user if `user` is impersonated. */
  impersonator?: UserInfo;
  /** By the clock of {@link receivedAtMs}; absent for long-running requests. */
  deadlineMs?: number;
  /** Watches, proxies, exec and the like: no deadline, not counted as in flight. */
  longRunning: boolean;
  /** Set once a handler took the request that is counted; absent for all others. */
  countedAs?: CountedAs | undefined;
  /** When the timed filter that now runs began, by `performance.now`; 0 before the first. */
  filterStartedMs: number;
  /** How long the request waited in the queues of flow control, ms. */
  queuedMs?: number;
  /** How long the request waited for webhooks, ms. */
  webhookMs?: number;
  /** Why the server ended the request itself: it counts that, too. */
  endedBy?: RequestEnd;
  /** Text of a Warning header; duplicates are dropped, limits are those of the reference. */
  addWarning(text: string): void;
  /** Takes the steps of admission; absent while nobody asks for them. */
  admissionRecorder?: AdmissionRecorder;
  /** Durations that the line of the request in the log is to have, in ms; absent where there will be no line. */
  loggedMs?: [key: string, ms: number][];
  /** Set by priority and fairness. */
  flow?: FlowFacts;
  /** Of a watch that holds seats of flow control, here or in the gateway. */
  watchStart?: WatchStartSignal;
  /** Takes what the audit events of the request hold; absent if it has none. */
  audit?: RequestAudit;
  /** Annotations that authentication has for the audit events: keys and values. */
  authenticationAnnotations?: readonly (readonly [key: string, value: string])[];
}

/** `dropped`: refused by limits; `deadline`: not answered in time; `aborted`: its answer was cut off. */
export type RequestEnd = 'dropped' | 'deadline' | 'aborted';

/** Ends the exchange, or throws an error which the chain turns into a Status. */
export type Handler = (context: RequestContext) => void | Promise<void>;

/** Wraps the rest of the chain. */
export type Filter = (next: Handler) => Handler;
