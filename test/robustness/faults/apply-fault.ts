import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import type { StoreLog } from '#test/robustness/model/store-log.ts';
import type { Setup } from '#test/robustness/setups/setup.ts';
import type { FaultKind, PlannedFault } from './fault-plan.ts';
import { holdCommits } from './held-commits.ts';

/** Takes the fault away again; called once. */
export type Heal = () => void | Promise<void>;

/** Kinds that can be done to the set-up on this machine. */
export function kindsFor(setup: Setup): Set<FaultKind> {
  return new Set<FaultKind>([
    'kill',
    'freeze',
    'cut',
    'refuse',
    'delay',
    'stall',
    'compact',
    ...(setup.links.some((link) => link.overTcp) ? ['half-open' as const] : []),
    ...(setup.store === undefined ? [] : ['lose-tip' as const]),
    ...(setup.store?.canBeHeld === true ? ['hold-commits' as const] : []),
    ...(setup.disk === undefined ? [] : ['disk-full' as const]),
    ...(setup.processes.some((process) => process.hasClock) ? ['clock' as const] : []),
  ]);
}

/** Does it; `label` says what was done to whom. Compaction goes no further than what `log` has seen. */
export async function applyFault(
  setup: Setup,
  log: StoreLog,
  fault: PlannedFault,
): Promise<{ label: string; heal?: Heal }> {
  const { kind, amount, durationMs } = fault;
  const of = <T>(list: readonly T[]): T => list[fault.target % list.length] as T;
  const link = of(kind === 'half-open' ? setup.links.filter(({ overTcp }) => overTcp) : setup.links);
  const process = of(kind === 'clock' ? setup.processes.filter(({ hasClock }) => hasClock) : setup.processes);
  switch (kind) {
    case 'kill':
      process.kill(durationMs / 2);
      return { label: `kill ${process.name}, away for ${Math.round(durationMs / 2)} ms` };
    case 'freeze':
      process.freeze(true);
      return { label: `freeze ${process.name} for ${durationMs} ms`, heal: () => process.freeze(false) };
    case 'cut':
      link.cut();
      return { label: `cut ${link.name}` };
    case 'refuse':
      link.refuse(true);
      link.cut();
      return { label: `refuse ${link.name} for ${durationMs} ms`, heal: () => link.refuse(false) };
    case 'delay':
      link.delay(amount);
      return { label: `delay ${link.name} by ${amount} ms for ${durationMs} ms`, heal: () => link.delay(0) };
    case 'stall':
      link.stall(true);
      return { label: `stall ${link.name} for ${durationMs} ms`, heal: () => link.stall(false) };
    case 'half-open':
      link.cutServerSide();
      return { label: `half-open ${link.name} for ${durationMs} ms`, heal: () => link.cut() };
    case 'disk-full':
      setup.disk?.fill(amount);
      return {
        label: `disk full but ${amount} bytes for ${durationMs} ms`,
        heal: async () => {
          setup.disk?.empty();
          await log.clearAlarms();
        },
      };
    case 'clock':
      process.setClock(amount);
      return {
        label: `clock of ${process.name} by ${amount / 1000} s for ${durationMs} ms`,
        heal: () => process.setClock(0),
      };
    case 'lose-tip':
      return loseTip(setup);
    case 'hold-commits':
      return hold(setup, fault);
    case 'compact':
      await log.compact(amount);
      return { label: `compact but ${amount} revisions` };
  }
}

/** Kills the store, and starts it soon after on a copy of `store.tip`: servers may still read the file of before. */
function loseTip({ store }: Setup): { label: string } {
  const label = 'kill store, and put a copy in the place of store.tip';
  if (store === undefined || !existsSync(store.tip)) return { label };
  store.process.kill(0);
  const copy = `${store.tip}-copy`;
  try {
    copyFileSync(store.tip, copy);
    renameSync(copy, store.tip);
  } catch {
    // The disk is full.
    rmSync(store.tip, { force: true });
    rmSync(copy, { force: true });
  }
  return { label };
}

function hold({ store }: Setup, { amount, durationMs }: PlannedFault): { label: string; heal?: Heal } {
  const file = amount === 1 ? store?.tip : undefined;
  const label = `hold commits before their writes${file === undefined ? '' : ' to store.tip'} for ${durationMs} ms`;
  const pid = store?.process.pid;
  return pid === undefined ? { label } : { label, heal: holdCommits(pid, durationMs, file) };
}
