import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Report } from '#test/compare/report.ts';
import { startAudited, type AuditedPair } from './audited-pair.ts';
import { compareRequest } from './compare-logs.ts';
import { settledEventLog, type AuditedRequest } from './event-log.ts';
import { isExplained } from './explained.ts';
import { sendSpecial, type SpecialAnswer } from './send-special.ts';
import type { SpecialRequest } from './special-requests.ts';

/** Requests that are sent to both servers one after the other. */
export interface Part {
  readonly name: string;
  readonly requests: readonly SpecialRequest[];
  /** Called before they are sent. */
  readonly begin?: () => void;
  /** Until both servers answer all of these with success, the requests before are not yet in effect everywhere. */
  readonly probesAfter?: readonly SpecialRequest[];
}

export interface ComparedParts {
  readonly name: string;
  readonly policy: JsonObject;
  readonly parts: readonly Part[];
  readonly flags?: readonly string[];
  /** Called with both servers after the requests. */
  readonly finish?: (pair: AuditedPair) => Promise<void>;
  /** What else is to be compared of a pair of requests. */
  readonly alsoCompare?: (want: AuditedRequest | undefined, have: AuditedRequest | undefined) => readonly string[];
}

const inEffectWithinMs = 3_000;

/** Sends the requests of all parts, and compares their events. */
export async function compareParts(
  report: Report,
  { name, policy, parts, flags, finish, alsoCompare }: ComparedParts,
): Promise<void> {
  const pair = await startAudited(policy, flags);
  const { ours, theirs } = pair;
  try {
    for (const { name: part, requests, begin, probesAfter } of parts) {
      begin?.();
      for (const [at, asked] of requests.entries()) {
        const [have, want] = await Promise.all(
          [ours, theirs].map(({ side }) => sendSpecial(side.url, `${part}-${at}`, asked)),
        );
        compareAnswers(report, `${name} ${part} answers`, asked, { want, have });
      }
      if (probesAfter !== undefined) await untilReady(pair, probesAfter);
    }
    await finish?.(pair);
    const [have, want] = await Promise.all([settledEventLog(ours.log), settledEventLog(theirs.log)]);
    for (const { name: part, requests } of parts)
      for (const [at, { method, path }] of requests.entries()) {
        const [there, here] = [find(want, part, at), find(have, part, at)];
        const what = `${method} ${path}`;
        compareRequest(report, `${name} ${part}`, what, there, here);
        if (alsoCompare !== undefined) report.note(`${name} ${part} more`, what, [...alsoCompare(there, here)], false);
      }
  } finally {
    await pair.close();
  }
}

function compareAnswers(
  report: Report,
  part: string,
  { method, path, comparesText }: SpecialRequest,
  { want, have }: { readonly want: SpecialAnswer | undefined; readonly have: SpecialAnswer | undefined },
): void {
  const lines: string[] = [];
  if (want?.status !== have?.status) lines.push(`status: want ${want?.status} have ${have?.status}`);
  if (comparesText === true && want?.text !== have?.text) lines.push(`text: want ${want?.text} have ${have?.text}`);
  const isExpected = lines.every((line) => isExplained(line, [{ requestURI: path }]));
  report.note(part, `${method} ${path}`, lines, isExpected);
}

function find(log: readonly AuditedRequest[], part: string, at: number): AuditedRequest | undefined {
  return log.find(({ auditId }) => auditId === `${part}-${at}`);
}

async function untilReady({ ours, theirs }: AuditedPair, probes: readonly SpecialRequest[]): Promise<void> {
  for (const { side } of [ours, theirs])
    for (const probe of probes)
      for (let left = 200; (await sendSpecial(side.url, 'probe', probe)).status >= 400; left--) {
        if (left === 0) throw new Error(`${probe.path} is not served in time`);
        await sleep(100);
      }
  // Webhooks are in effect soon after they were written; nothing tells when.
  await sleep(inEffectWithinMs);
}
