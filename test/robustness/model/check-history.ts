import type { History } from '#test/robustness/workload/history.ts';
import { resourceNames, workResources } from '#test/robustness/workload/resources.ts';
import { checkAddresses } from './check-addresses.ts';
import { checkGets, checkLists } from './check-reads.ts';
import { checkWatch } from './check-watches.ts';
import { checkWrites } from './check-writes.ts';
import { ResourceTimeline } from './resource-timeline.ts';
import type { LogEvent } from './store-log.ts';

/** Everything in a round's history that no correct system can have answered; empty when all is well. */
export function checkHistory(log: readonly LogEvent[], history: History, namespace: string): string[] {
  const wrong = [...history.violations];
  for (const name of resourceNames) {
    const timeline = new ResourceTimeline(log, workResources[name].storedAt(namespace));
    const own = <T extends { readonly resource: string }>(records: readonly T[]): T[] =>
      records.filter(({ resource }) => resource === name);
    wrong.push(
      ...checkWrites(timeline, own(history.writes)),
      ...checkGets(timeline, own(history.gets)),
      ...checkLists(timeline, own(history.lists)),
    );
    for (const watch of own(history.watches)) wrong.push(...checkWatch(timeline, watch));
  }
  return [...wrong, ...checkAddresses(log)];
}
