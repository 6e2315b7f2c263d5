import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** All events of one request, by stage in the order of the log. */
export interface AuditedRequest {
  readonly auditId: string;
  /** Verb and URI. */
  readonly what: string;
  readonly events: readonly JsonObject[];
}

/** The events of a log, request by request, in the order in which the requests arrived. */
export function readEventLog(path: string): AuditedRequest[] {
  const requests = new Map<string, JsonObject[]>();
  for (const line of existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []) {
    if (line === '') continue;
    const event = JSON.parse(line) as JsonObject;
    const id = String(event['auditID']);
    const events = requests.get(id);
    if (events === undefined) requests.set(id, [event]);
    else events.push(event);
  }
  return [...requests].map(([auditId, events]) => ({
    auditId,
    what: `${String(events[0]?.['verb'])} ${String(events[0]?.['requestURI'])}`,
    events,
  }));
}

const settledMs = 400;

/** Reads the log once nothing was added to it for a while: the last event of a request is written after its answer. */
export async function settledEventLog(path: string): Promise<AuditedRequest[]> {
  for (let before = -1; ; await sleep(settledMs)) {
    const { length } = existsSync(path) ? readFileSync(path) : '';
    if (length === before) return readEventLog(path);
    before = length;
  }
}
