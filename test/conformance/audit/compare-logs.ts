import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { differencesOf } from '#test/compare/differences.ts';
import type { Report } from '#test/compare/report.ts';
import { comparableEvent } from './comparable-event.ts';
import type { AuditedRequest } from './event-log.ts';
import { isExplained } from './explained.ts';

/**
 * Compares the events of requests that were sent one after the other. A request that was repeated until its answer was
 * as wanted counts once, with the last answer.
 */
export function compareLogs(
  report: Report,
  part: string,
  want: readonly AuditedRequest[],
  have: readonly AuditedRequest[],
): void {
  const [wanted, had] = [withoutRepeats(want), withoutRepeats(have)];
  for (let at = 0; at < Math.max(wanted.length, had.length); at++) {
    const [there, here] = [wanted[at], had[at]];
    compareRequest(report, part, `${at} ${there?.what ?? here?.what ?? ''}`, there, here);
    // From here on the requests are no longer those of the same line.
    if (there?.what === undefined || here?.what === undefined) return;
  }
}

/** Compares the events of one request. */
export function compareRequest(
  report: Report,
  part: string,
  what: string,
  want: AuditedRequest | undefined,
  have: AuditedRequest | undefined,
): void {
  const lines = differencesOf(comparable(want), comparable(have));
  report.note(
    part,
    what,
    lines,
    lines.every((line) => isExplained(line, want?.events ?? [])),
  );
}

/** The stages by name: a watch and what it tells of may end in any order. */
function comparable(request: AuditedRequest | undefined): JsonObject | undefined {
  if (request === undefined) return undefined;
  const stages: JsonObject = {};
  for (const event of request.events) {
    const stage = stringAt(event, 'stage');
    stages[stage in stages ? `${stage} again` : stage] = comparableEvent(event);
  }
  return stages;
}

function withoutRepeats(requests: readonly AuditedRequest[]): AuditedRequest[] {
  const asked = requests.map(({ what, events }) => `${what} ${JSON.stringify(events.at(-1)?.['requestObject'])}`);
  return requests.filter((_, at) => asked[at] !== asked[at + 1]);
}
