import type { WriteRecord } from '#test/robustness/workload/history.ts';
import type { ResourceTimeline, TimelineEvent } from './resource-timeline.ts';

/**
 * Writes to one resource against what happened: acknowledged ones are there, with the revision that was answered;
 * refused ones are not; others are or are not, but never twice or in part; each is built on the state that it asked
 * for.
 */
export function checkWrites(timeline: ResourceTimeline, writes: readonly WriteRecord[]): string[] {
  const wrong: string[] = [];
  const byMark = new Map(writes.map((write) => [write.mark, write]));
  const happened = new Map<string, TimelineEvent[]>();
  for (const event of timeline.events) {
    if (event.object === undefined) {
      checkDeletion(event, writes, wrong);
      continue;
    }
    const { mark, torn } = event.object;
    const write = byMark.get(mark);
    if (torn) wrong.push(`half a write: ${event.name} at ${event.revision} holds the mark ${mark} and another one`);
    if (write === undefined)
      wrong.push(`nobody wrote what ${event.name} holds at ${event.revision}: mark ${JSON.stringify(mark)}`);
    else checkEffect(write, event, wrong);
    happened.set(mark, [...(happened.get(mark) ?? []), event]);
  }
  for (const write of writes) {
    if (write.verb === 'delete') checkDelete(write, timeline, wrong);
    else checkOccurrence(write, happened.get(write.mark) ?? [], wrong);
  }
  checkDeletedOnce(writes, wrong);
  return wrong;
}

function checkOccurrence(write: WriteRecord, events: readonly TimelineEvent[], wrong: string[]): void {
  const at = events.map(({ revision }) => revision).join(' and ');
  if (events.length > 1) wrong.push(`${describe(write)} happened ${events.length} times, at ${at}`);
  if (write.outcome === 'refused' && events.length > 0)
    wrong.push(`${describe(write)} was refused and happened at ${at}`);
  if (write.outcome === 'acknowledged' && events[0]?.revision !== write.revision) {
    wrong.push(
      `${describe(write)} was acknowledged at ${write.revision} and ${events.length === 0 ? 'is lost' : `happened at ${at}`}`,
    );
  }
}

/** A write that happened, whatever was answered, must have been allowed to. */
function checkEffect(write: WriteRecord, event: TimelineEvent, wrong: string[]): void {
  if (write.name !== event.name) wrong.push(`${describe(write)} changed ${event.name} at ${event.revision}`);
  if (event.revision <= write.floor)
    wrong.push(`${describe(write)} happened at ${event.revision}, before it was sent (${write.floor} was known)`);
  if (write.verb === 'create' && event.before !== undefined)
    wrong.push(`${describe(write)} replaced what was there at ${event.before.revision}`);
  if (write.verb !== 'create' && event.before === undefined)
    wrong.push(`${describe(write)} created ${event.name} at ${event.revision}`);
  if (write.precondition !== undefined && event.before?.revision !== write.precondition)
    wrong.push(`${describe(write)} was built on ${event.before?.revision ?? 'nothing'} at ${event.revision}`);
}

function checkDeletion(event: TimelineEvent, writes: readonly WriteRecord[], wrong: string[]): void {
  const asked = writes.some(
    (write) =>
      write.verb === 'delete' &&
      write.name === event.name &&
      write.outcome !== 'refused' &&
      write.floor < event.revision &&
      (write.precondition === undefined || write.precondition === event.before?.revision),
  );
  if (asked) return;
  const refused = writes
    .filter(
      (write) => write.verb === 'delete' && write.name === event.name && Math.abs(write.floor - event.revision) < 200,
    )
    .map(describe);
  wrong.push(
    `nobody deleted ${event.name} of ${event.before?.revision ?? 'no revision'}, and it went at ${event.revision}; ${refused.join('; ') || 'no request'} came near`,
  );
}

function checkDelete(write: WriteRecord, timeline: ResourceTimeline, wrong: string[]): void {
  if (write.outcome !== 'acknowledged') return;
  const found = timeline
    .of(write.name)
    .some(
      (event) =>
        event.object === undefined &&
        event.revision > write.floor &&
        (write.precondition === undefined || event.before?.revision === write.precondition),
    );
  if (!found) wrong.push(`${describe(write)} was acknowledged and did not happen`);
}

function checkDeletedOnce(writes: readonly WriteRecord[], wrong: string[]): void {
  const deleted = new Set<string>();
  for (const write of writes) {
    if (write.verb !== 'delete' || write.outcome !== 'acknowledged' || write.precondition === undefined) continue;
    const what = `${write.name} of ${write.precondition}`;
    if (deleted.has(what)) wrong.push(`two clients deleted ${what}`);
    deleted.add(what);
  }
}

function describe(write: WriteRecord): string {
  const on = write.precondition === undefined ? '' : ` on ${write.precondition}`;
  return `${write.verb} ${write.mark} of ${write.name}${on} (${write.status} ${write.said.trimEnd()}, ${write.floor} was known)`;
}
