import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import { parseMicroTime } from '#shared/apimachinery/values/time.ts';
import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** An event, and how the reference writes it (test/recorders/audit). */
export interface RecordedEvent {
  readonly event: AuditEvent;
  /** With its line feed. */
  readonly line: string;
  readonly item: string;
  readonly legacy: string;
}

/** The events of `event/testdata/events.json`. */
export function recordedEvents(): RecordedEvent[] {
  const events = readJson('../event/testdata/events.json') as JsonObject[];
  const written = readJson('../event/testdata/gen/written.json') as Omit<RecordedEvent, 'event'>[];
  return written.map((one, at) => ({ ...one, event: eventOf(events[at] ?? {}) }));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

function eventOf(written: JsonObject): AuditEvent {
  const { user, impersonatedUser, authenticationMetadata, objectRef, responseStatus, annotations } = written;
  const { requestObject, responseObject, requestURI, auditID, sourceIPs, requestReceivedTimestamp, ...rest } = written;
  const constraint = (authenticationMetadata as JsonObject | undefined)?.['impersonationConstraint'];
  return {
    ...(rest as unknown as AuditEvent),
    auditId: auditID as string,
    requestUri: requestURI as string,
    user: userOf(user),
    ...(impersonatedUser === undefined ? {} : { impersonatedUser: userOf(impersonatedUser) }),
    ...(constraint === undefined ? {} : { impersonationConstraint: constraint as string }),
    sourceIps: (sourceIPs ?? []) as string[],
    userAgent: (written['userAgent'] ?? '') as string,
    ...(objectRef === undefined ? {} : { object: objectRef as object }),
    ...(responseStatus === undefined ? {} : { responseStatus: statusOf(responseStatus as JsonObject) }),
    ...(requestObject === undefined ? {} : { requestObject: Buffer.from(goJson(requestObject)) }),
    ...(responseObject === undefined ? {} : { responseObject: Buffer.from(goJson(responseObject)) }),
    receivedAtUs: microsecondsOf(requestReceivedTimestamp),
    stageAtUs: microsecondsOf(written['stageTimestamp']),
    annotations: new Map(Object.entries((annotations ?? {}) as Record<string, string>)),
  };
}

function userOf(written: JsonValue | undefined): UserInfo {
  const { username = '', uid = '', groups = [], extra = {} } = written as JsonObject;
  return { name: username, uid, groups, extra } as UserInfo;
}

function statusOf(written: JsonObject): NonNullable<AuditEvent['responseStatus']> {
  const { details, ...rest } = written;
  const status = rest as unknown as NonNullable<AuditEvent['responseStatus']>;
  return details === undefined ? status : { ...status, details: goJson(details) };
}

function microsecondsOf(text: JsonValue | undefined): number {
  const { seconds, nanos } = parseMicroTime(text as string);
  return seconds * 1e6 + nanos / 1000;
}
