import { setTimeout as sleep } from 'node:timers/promises';
import { applyFault, kindsFor } from './faults/apply-fault.ts';
import { planFaults } from './faults/fault-plan.ts';
import { SeededRandom } from './faults/seeded-random.ts';
import { checkHistory } from './model/check-history.ts';
import type { StoreLog } from './model/store-log.ts';
import type { Setup } from './setups/setup.ts';
import { Caller } from './workload/caller.ts';
import { History } from './workload/history.ts';
import { Lister } from './workload/lister.ts';
import { resourceNames, workResources } from './workload/resources.ts';
import { Watcher } from './workload/watcher.ts';
import { Writer } from './workload/writer.ts';
import type { Knowledge } from './workload/writer.ts';

const writerCount = 6;
const listerCount = 2;
const recoversWithinMs = 30_000;

export interface RoundReport {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly violations: readonly string[];
  readonly history: History;
  /** From the end of the last fault until a write to every resource passed. */
  readonly recoveredAfterMs: number;
}

/** One round: a workload in a namespace of its own, faults meanwhile, then peace and the reckoning. */
export async function runRound(
  setup: Setup,
  log: StoreLog,
  seed: number,
  roundMs: number,
  say: (line: string) => void,
): Promise<RoundReport> {
  const random = new SeededRandom(seed);
  const namespace = `round-${seed}`;
  const history = new History();
  let clients = 0;
  const newCaller = (): Caller => new Caller(setup.addresses, history, clients++);
  const operator = newCaller();
  await until(recoversWithinMs, 'the namespace of the round is there', async () => {
    const { status } = await operator.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
    return status === 201 || status === 409;
  });
  const knowledge: Knowledge = new Map();
  const watchers = startWatchers(newCaller, history, namespace, random);
  const workers = [
    ...Array.from(
      { length: writerCount },
      (_, index) =>
        new Writer({
          name: `w${seed}-${index}`,
          caller: newCaller(),
          history,
          knowledge,
          namespace,
          random: random.fork(`writer ${index}`),
        }),
    ),
    ...Array.from(
      { length: listerCount },
      (_, index) => new Lister(newCaller(), history, namespace, random.fork(`lister ${index}`)),
    ),
  ];
  const faults = await injectFaults(setup, log, random.fork('faults'), roundMs, say);
  const healedAt = performance.now();
  const violations: string[] = [];
  const attempt = async (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => void violations.push(error instanceof Error ? error.message : String(error)));
  await Promise.all(workers.map((worker) => worker.stop()));
  await attempt(() => recovers(setup, operator, history, namespace));
  const recoveredAfterMs = performance.now() - healedAt;
  await attempt(async () => {
    const last = await log.catchUp(recoversWithinMs);
    say(`revision ${last}`);
  });
  await attempt(() => watchersCatchUp(watchers, history));
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  violations.push(
    ...checkHistory(log.events, history, namespace),
    ...log.violations.splice(0),
    ...(await log.compareWithNow()),
  );
  for (const process of setup.processes) violations.push(...process.unexpectedEnds.splice(0));
  await attempt(() => cleanUp(operator, namespace));
  operator.close();
  return { seed, faults, violations, history, recoveredAfterMs };
}

function startWatchers(newCaller: () => Caller, history: History, namespace: string, random: SeededRandom): Watcher[] {
  const watcher = (
    label: string,
    more: { resource: (typeof resourceNames)[number]; color?: string; streaming?: boolean },
  ): Watcher =>
    new Watcher({ label, caller: newCaller(), history, namespace, random: random.fork(`watcher ${label}`), ...more });
  return [
    ...resourceNames.map((resource) => watcher(resource, { resource })),
    ...resourceNames.map((resource) => watcher(`${resource}, streamed`, { resource, streaming: true })),
    watcher('red configmaps', { resource: 'configmaps', color: 'red' }),
    watcher('red widgets, streamed', { resource: 'widgets', color: 'red', streaming: true }),
  ];
}

async function injectFaults(
  setup: Setup,
  log: StoreLog,
  random: SeededRandom,
  roundMs: number,
  say: (line: string) => void,
): Promise<string[]> {
  const began = performance.now();
  const labels: string[] = [];
  const healing: Promise<void>[] = [];
  for (const fault of planFaults(random, roundMs, kindsFor(setup))) {
    await sleep(Math.max(0, began + fault.atMs - performance.now()));
    const { label, heal } = await applyFault(setup, log, fault);
    labels.push(label);
    say(`${String(Math.round(performance.now() - began)).padStart(7)} ms  ${label}`);
    if (heal !== undefined) healing.push(sleep(fault.durationMs).then(heal));
  }
  await sleep(Math.max(0, began + roundMs - performance.now()));
  await Promise.all(healing);
  return labels;
}

/** Every process serves, and a write to every resource passes, without anybody's help. */
async function recovers(setup: Setup, operator: Caller, history: History, namespace: string): Promise<void> {
  for (const process of setup.processes)
    await until(recoversWithinMs, `${process.name} serves again`, () => Promise.resolve(process.serves));
  await until(
    recoversWithinMs,
    '/readyz is well again',
    async () => (await operator.send('GET', '/readyz')).status === 200,
  );
  for (const resource of resourceNames.map((name) => workResources[name])) {
    await until(recoversWithinMs, `writes to ${resource.name} pass again`, async () => {
      const mark = history.newMark('last');
      const { floor } = history;
      const reply = await operator.send('POST', resource.path(namespace), {
        body: resource.build(`last-${mark}`, mark, 'red', 1),
      });
      const outcome = reply.status === 201 ? ('acknowledged' as const) : ('unknown' as const);
      const { metadata } = reply.json as { metadata?: { resourceVersion?: string } };
      history.writes.push({
        mark,
        resource: resource.name,
        name: `last-${mark}`,
        verb: 'create',
        floor,
        outcome,
        status: reply.status,
        said: reply.said,
        ...(outcome === 'acknowledged' ? { revision: Number(metadata?.resourceVersion) } : {}),
      });
      return outcome === 'acknowledged';
    });
  }
}

/** Each sees the last write of its resource. */
async function watchersCatchUp(watchers: readonly Watcher[], history: History): Promise<void> {
  for (const watcher of watchers) {
    const last =
      history.writes.findLast(
        (write) =>
          write.resource === watcher.record.resource && write.name.startsWith('last-') && write.revision !== undefined,
      )?.revision ?? 0;
    await until(recoversWithinMs, `the watch ${watcher.record.label} at ${watcher.revision} sees ${last}`, () =>
      Promise.resolve(watcher.revision >= last),
    );
  }
}

/** Addresses are free again for the next round. */
async function cleanUp(operator: Caller, namespace: string): Promise<void> {
  for (const resource of resourceNames) {
    const path = workResources[resource].path(namespace);
    await until(recoversWithinMs, `${resource} of the round are deleted`, async () => {
      const { status, json } = await operator.send('GET', path);
      const { items } = json as { items?: { metadata: { name: string } }[] };
      for (const { metadata } of items ?? []) await operator.send('DELETE', `${path}/${metadata.name}`);
      return status === 200 && items?.length === 0;
    });
  }
}

async function until(withinMs: number, what: string, probe: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await probe())) {
    if (performance.now() > deadline) throw new Error(`hangs: not within ${withinMs} ms that ${what}`);
    await sleep(50);
  }
}
