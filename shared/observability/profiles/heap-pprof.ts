import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { epochMicroseconds } from '#shared/apimachinery/values/epoch-clock.ts';
import { PprofBuilder, type CallFrame } from './pprof-builder.ts';
import { heapIntervalBytes, type HeapNode, type HeapProfile } from './record-profiles.ts';

export interface HeapPprofOptions {
  /** `inuse` for what is still used, `alloc` for all that was allocated. */
  readonly of: 'inuse' | 'alloc';
  readonly seconds: number;
}

/** Where memory was allocated, as the heap profile of Go's runtime. */
export function* heapToPprof(profile: HeapProfile, { of, seconds }: HeapPprofOptions): Steps<PprofBuilder> {
  const durationUs = seconds * 1e6;
  const builder = new PprofBuilder({
    kinds: [
      [`${of}_objects`, 'count'],
      [`${of}_space`, 'bytes'],
    ],
    period: [['space', 'bytes'], heapIntervalBytes],
    startUs: epochMicroseconds(performance.now()) - durationUs,
    durationUs,
  });
  const counts = new Map<number, number>();
  for (const { nodeId } of profile.samples) {
    counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
    if (sliceIsOver()) yield;
  }
  // Stacks may be deep, so they are no recursion.
  const open: { readonly node: HeapNode; readonly stack: Stack | undefined }[] = [
    { node: profile.head, stack: undefined },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    const stack = node === profile.head ? undefined : { frame: node.callFrame, outer: next.stack };
    if (node.selfSize > 0 && stack !== undefined)
      builder.add(framesOf(stack), [counts.get(node.id) ?? 1, node.selfSize]);
    for (const child of node.children) open.push({ node: child, stack });
    if (sliceIsOver()) yield;
  }
  return builder;
}

interface Stack {
  readonly frame: CallFrame;
  readonly outer: Stack | undefined;
}

function framesOf(stack: Stack): CallFrame[] {
  const frames: CallFrame[] = [];
  for (let at: Stack | undefined = stack; at !== undefined; at = at.outer) frames.push(at.frame);
  return frames;
}
