import type { GetRecord, ListRecord } from '#test/robustness/workload/history.ts';
import type { ResourceTimeline } from './resource-timeline.ts';

/** Reads of single objects: what was told was stored, and nothing known before the read was missing in it. */
export function checkGets(timeline: ResourceTimeline, gets: readonly GetRecord[]): string[] {
  const wrong: string[] = [];
  for (const { name, floor, found } of gets) {
    const events = timeline.of(name);
    if (found === undefined) {
      const last = events.findLast(({ revision }) => revision <= floor);
      const wentLater = events.some((event) => event.revision > floor && event.object === undefined);
      if (last?.object !== undefined && !wentLater)
        wrong.push(`${name} was not found, and it is there since ${last.revision} (${floor} was known)`);
      continue;
    }
    const at = events.findIndex(({ revision }) => revision === found.revision);
    const event = events[at];
    if (event?.object === undefined || event.object.mark !== found.mark || found.torn) {
      wrong.push(
        `${name} was read at ${found.revision} with mark ${found.mark}, and ${event === undefined ? 'there was no such revision' : `it held ${event.object?.mark ?? 'nothing'}`}`,
      );
      continue;
    }
    const next = events[at + 1];
    if (next !== undefined && next.revision <= floor)
      wrong.push(
        `${name} was read as of ${found.revision}, and ${floor} was known, after its change at ${next.revision}`,
      );
  }
  return wrong;
}

/** Lists are the whole state at their revision, and no older than what was known. */
export function checkLists(timeline: ResourceTimeline, lists: readonly ListRecord[]): string[] {
  const wrong: string[] = [];
  for (const list of lists) {
    const { revision, floor, items, how, color } = list;
    if (floor !== undefined && revision < floor)
      wrong.push(`a list (${how}) of ${list.resource} is of ${revision}, and ${floor} was known`);
    const expected = timeline.stateAt(revision, color);
    if (expected.join() !== items.join())
      wrong.push(`a list (${how}) of ${list.resource} at ${revision} has ${difference(expected, items)}`);
  }
  return wrong;
}

/** For messages. */
export function difference(expected: readonly string[], observed: readonly string[]): string {
  const missing = expected.filter((item) => !observed.includes(item));
  const more = observed.filter((item) => !expected.includes(item));
  if (missing.length + more.length === 0) return `another order: ${observed.join(' ')}`;
  return `not ${missing.join(' ') || 'less'} but ${more.join(' ') || 'nothing'}`;
}
