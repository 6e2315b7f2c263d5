import type { UserInfo } from '#shared/request/user.ts';

/** How much of a request its events hold. `None` gives no event. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** The object that a request is about. Fields that are not known are absent. */
export interface AuditedObject {
  readonly resource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly apiGroup?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly subresource?: string | undefined;
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
  readonly impersonatedUser?: UserInfo | undefined;
  /** The verb of constrained impersonation that was allowed (`authenticationMetadata.impersonationConstraint`). */
  readonly impersonationConstraint?: string | undefined;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly object?: AuditedObject | undefined;
  readonly responseStatus?: AuditedStatus | undefined;
  readonly requestObject?: Uint8Array | undefined;
  readonly responseObject?: Uint8Array | undefined;
  readonly receivedAtUs: number;
  readonly stageAtUs: number;
  readonly annotations: ReadonlyMap<string, string>;
}
