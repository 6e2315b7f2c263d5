import type { SeededRandom } from './seeded-random.ts';

/** What is done to the system: at a time of the round, to a thing of a kind, for so long. */
export interface PlannedFault {
  readonly atMs: number;
  readonly kind: FaultKind;
  /** Which of the things that the kind applies to; taken modulo their number. */
  readonly target: number;
  readonly durationMs: number;
  /** Of the kind: milliseconds of delay or of clock step, bytes left on the disk, revisions that are kept, 1 for `store.tip` alone. */
  readonly amount: number;
}

export type FaultKind =
  | 'kill'
  | 'freeze'
  | 'cut'
  | 'refuse'
  | 'delay'
  | 'stall'
  | 'half-open'
  | 'disk-full'
  | 'clock'
  | 'compact'
  | 'hold-commits'
  | 'lose-tip';

const weights: readonly (readonly [number, FaultKind])[] = [
  [5, 'kill'],
  [3, 'freeze'],
  [4, 'cut'],
  [2, 'refuse'],
  [2, 'delay'],
  [3, 'stall'],
  [1, 'half-open'],
  [2, 'disk-full'],
  [2, 'clock'],
  [2, 'compact'],
  [3, 'hold-commits'],
  [1, 'lose-tip'],
];

/** Longer than a call to the store is tried for would leave nothing to check. */
const longestMs = 6_000;
const hourMs = 3_600_000;

/** The faults of one round, in order; the same for the same seed. */
export function planFaults(random: SeededRandom, roundMs: number, kinds: ReadonlySet<FaultKind>): PlannedFault[] {
  const plan: PlannedFault[] = [];
  const usable = weights.filter(([, kind]) => kinds.has(kind));
  for (let atMs = random.between(500, 2_000); atMs < roundMs; atMs += random.between(600, 4_500)) {
    const kind = random.weighted(usable);
    // Short ones are the most frequent.
    const durationMs = Math.round(200 + (longestMs - 200) * random.next() ** 2);
    plan.push({ atMs, kind, target: random.between(0, 1_000_000), durationMs, amount: amountOf(kind, random) });
  }
  return plan;
}

function amountOf(kind: FaultKind, random: SeededRandom): number {
  switch (kind) {
    case 'delay':
      return random.between(2, 300);
    case 'disk-full':
      return random.pick([0, 4096, 20_000, 100_000, 400_000]);
    case 'clock':
      return (random.chance(0.5) ? 1 : -1) * random.pick([500, 5_000, 60_000, hourMs, 30 * hourMs]);
    case 'compact':
      return random.pick([0, 1, 10, 200]);
    case 'hold-commits':
      return random.pick([0, 1]);
    default:
      return 0;
  }
}
