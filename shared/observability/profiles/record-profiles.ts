import type { Profiler } from 'node:inspector';
import type { Session } from 'node:inspector/promises';
import { setTimeout as pause } from 'node:timers/promises';

export type CpuProfile = Profiler.Profile;

/** What V8 answers to `HeapProfiler.stopSampling`; its declaration in @types/node lacks ids and samples. */
export interface HeapProfile {
  readonly head: HeapNode;
  readonly samples: readonly { readonly nodeId: number }[];
}

export interface HeapNode {
  readonly id: number;
  readonly callFrame: Profiler.ProfileNode['callFrame'];
  /** Bytes. */
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

/** Between two samples of the heap, in bytes. Go takes 512 KiB, since the start of the process; here it is a window. */
export const heapIntervalBytes = 16 * 1024;
/** Between two samples of the processor, in microseconds. */
export const cpuIntervalUs = 1000;

/** A second profile of a kind would end with the first one. */
const running = new Set<string>();

export class ProfileRunsError extends Error {}

/** Records what this process runs, for some time; ends early when the signal says that nobody waits for it. */
export function recordCpu(seconds: number, signal: AbortSignal): Promise<CpuProfile> {
  return withSession('cpu', async (session) => {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: cpuIntervalUs });
    await session.post('Profiler.start');
    await elapsed(seconds, signal);
    return (await session.post('Profiler.stop')).profile;
  });
}

/**
 * Records what this process allocates, for some time: what is still in use at its end, or all of it. Memory that was
 * allocated before is not in it.
 */
export function recordHeap(seconds: number, all: boolean, signal: AbortSignal): Promise<HeapProfile> {
  return withSession('heap', async (session) => {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: heapIntervalBytes,
      includeObjectsCollectedByMajorGC: all,
      includeObjectsCollectedByMinorGC: all,
    });
    await elapsed(seconds, signal);
    return (await session.post('HeapProfiler.stopSampling')).profile as unknown as HeapProfile;
  });
}

async function withSession<T>(kind: string, record: (session: Session) => Promise<T>): Promise<T> {
  if (running.has(kind)) throw new ProfileRunsError(`a ${kind} profile is already in use`);
  running.add(kind);
  // The inspector costs memory that servers without a profile do not need.
  const inspector = await import('node:inspector/promises');
  const session = new inspector.Session();
  try {
    session.connect();
    return await record(session);
  } finally {
    session.disconnect();
    running.delete(kind);
  }
}

async function elapsed(seconds: number, signal: AbortSignal): Promise<void> {
  await pause(seconds * 1000, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
