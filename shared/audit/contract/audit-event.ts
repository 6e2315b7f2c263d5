import type { UserInfo } from '#shared/request/user.ts';

/** How much of a request its events hold. `None` gives no event. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** The object that a request is about. Fields that are not known are absent. */
export interface AuditedObject {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** The parts of a Status that events hold. */
export interface AuditedStatus {
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  /** JSON of a StatusDetails. */
  readonly details?: string;
  readonly code: number;
}

/**
 * One event: one stage of one request (k8s.io/apiserver/pkg/apis/audit/v1, Event). Times are microseconds since the
 * epoch. Objects are JSON as clients would get it, and views on bytes that somebody else keeps: nothing changes them.
 */
export interface AuditEvent {
  readonly level: Exclude<AuditLevel, 'None'>;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: UserInfo;
  readonly impersonatedUser?: UserInfo;
  /** The verb of constrained impersonation that was allowed (`authenticationMetadata.impersonationConstraint`). */
  readonly impersonationConstraint?: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly object?: AuditedObject;
  readonly responseStatus?: AuditedStatus;
  readonly requestObject?: Uint8Array;
  readonly responseObject?: Uint8Array;
  readonly receivedAtUs: number;
  readonly stageAtUs: number;
  readonly annotations: ReadonlyMap<string, string>;
}
