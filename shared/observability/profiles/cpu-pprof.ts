import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { epochMicroseconds } from '#shared/apimachinery/values/epoch-clock.ts';
import { PprofBuilder, type CallFrame, type SampleKind } from './pprof-builder.ts';
import { cpuIntervalUs, type CpuProfile } from './record-profiles.ts';

/** Longer turns of the event loop are told as delays. */
const longTurnUs = 10_000;

/** How often a stack was seen, and for how long. */
interface Seen {
  count: number;
  us: number;
}

const cpuKind: SampleKind = ['cpu', 'nanoseconds'];

/** Where a process spent its time, as the CPU profile of Go's runtime. */
export function* cpuToPprof(profile: CpuProfile): Steps<PprofBuilder> {
  const builder = new PprofBuilder({
    kinds: [['samples', 'count'], cpuKind],
    period: [cpuKind, cpuIntervalUs * 1000],
    ...spanOf(profile),
  });
  const seen = new Map<number, Seen>();
  for (const { node, us } of samplesOf(profile)) {
    note(seen, node, us);
    if (sliceIsOver()) yield;
  }
  yield* addStacks(builder, profile, seen);
  return builder;
}

/**
 * What held the event loop for longer than 10 ms at a time, in the form of Go's profile of contention: JavaScript has
 * no locks, and such turns are what others wait for.
 */
export function* delaysToPprof(profile: CpuProfile): Steps<PprofBuilder> {
  const delay: SampleKind = ['delay', 'nanoseconds'];
  const builder = new PprofBuilder({
    kinds: [['contentions', 'count'], delay],
    period: [['contentions', 'count'], 1],
    ...spanOf(profile),
  });
  const idle = profile.nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
  const seen = new Map<number, Seen>();
  let turn: Sampled[] = [];
  let turnUs = 0;
  const endTurn = (): void => {
    if (turnUs > longTurnUs) for (const { node, us } of turn) note(seen, node, us);
    [turn, turnUs] = [[], 0];
  };
  for (const sample of samplesOf(profile)) {
    if (sample.node === idle) endTurn();
    else {
      turn.push(sample);
      turnUs += sample.us;
    }
    if (sliceIsOver()) yield;
  }
  endTurn();
  yield* addStacks(builder, profile, seen);
  return builder;
}

interface Sampled {
  /** Its id. */
  readonly node: number;
  /** Until the next sample. */
  readonly us: number;
}

function* samplesOf({ samples = [], timeDeltas = [], startTime, endTime }: CpuProfile): Generator<Sampled> {
  let atUs = startTime;
  for (const [index, node] of samples.entries()) {
    atUs += timeDeltas[index] ?? 0;
    yield { node, us: Math.max(0, index + 1 < samples.length ? (timeDeltas[index + 1] ?? 0) : endTime - atUs) };
  }
}

function note(seen: Map<number, Seen>, node: number, us: number): void {
  const known = seen.get(node);
  if (known === undefined) seen.set(node, { count: 1, us });
  else {
    known.count++;
    known.us += us;
  }
}

/** The times of a profile are those of V8's own clock: its end is now. */
function spanOf({ startTime, endTime }: CpuProfile): { startUs: number; durationUs: number } {
  const durationUs = endTime - startTime;
  return { startUs: epochMicroseconds(performance.now()) - durationUs, durationUs };
}

/** Names of what is no work. */
const waiting: ReadonlySet<string> = new Set(['(idle)', '(root)']);

function* addStacks(builder: PprofBuilder, { nodes }: CpuProfile, seen: ReadonlyMap<number, Seen>): Steps<void> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  for (const [id, { count, us }] of seen) {
    const stack: CallFrame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame !== undefined && frame.functionName !== '(root)') stack.push(frame);
    }
    if (stack.length > 0 && !waiting.has(stack[0]?.functionName ?? ''))
      builder.add(stack, [count, Math.round(us * 1000)]);
    if (sliceIsOver()) yield;
  }
}
