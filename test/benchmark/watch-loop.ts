// Loaded into each process of a cluster (`--import`): writes down what held its event loop for long. CPU time of the
// thread counts, not time that passed, since other work on the machine must not; time that passed is the bound where it
// is less, because the kernel counts CPU time in ticks. Full garbage collections are told apart: they are V8's, and
// cannot be sliced; those of the young generation belong to the work that made the garbage.
import { createHook, executionAsyncResource } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * `call`: one callback with the ticks and microtasks behind it. `turn`: all callbacks of one turn of the loop. `gc`:
 * full collections in either.
 */
type Kind = 'call' | 'turn' | 'gc';

interface Stretch {
  readonly kind: 'call' | 'turn';
  readonly start: number;
  readonly end: number;
  readonly busyMs: number;
}

const noteworthyMs = 4;
/** Collections are told a little later than they happen. */
const reportMs = 100;
const file = process.env['LOOP_TURNS_FILE'];

/** Busy stretches, and the full collections since the last report. */
class Report {
  readonly #process: string;
  #stretches: Stretch[] = [];
  #collections: PerformanceEntry[] = [];

  constructor(process: string) {
    this.#process = process;
    const isFull = ({ detail }: PerformanceEntry & { readonly detail?: unknown }): boolean =>
      (detail as { readonly kind: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    new PerformanceObserver((list) => this.#collections.push(...list.getEntries().filter(isFull))).observe({
      entryTypes: ['gc'],
    });
    setInterval(() => this.#write(), reportMs).unref();
  }

  add(stretch: Stretch): void {
    if (stretch.busyMs > noteworthyMs) this.#stretches.push(stretch);
  }

  #write(): void {
    const lines: string[] = [];
    const note = (kind: Kind, ms: number): void => {
      if (ms > noteworthyMs) lines.push(`${this.#process} ${kind} ${ms.toFixed(1)}\n`);
    };
    for (const { kind, start, end, busyMs } of this.#stretches) {
      const collecting = this.#collections.reduce(
        (sum, { startTime, duration }) =>
          sum + Math.max(0, Math.min(end, startTime + duration) - Math.max(start, startTime)),
        0,
      );
      const collectingMs = busyMs * Math.min(1, collecting / (end - start));
      note(kind, busyMs - collectingMs);
      note('gc', collectingMs);
    }
    this.#stretches = [];
    this.#collections = [];
    if (file !== undefined && lines.length > 0) appendFileSync(file, lines.join(''));
  }
}

class BusyClock {
  readonly #kind: 'call' | 'turn';
  #cpu = usedMs();
  #wall = performance.now();

  constructor(kind: 'call' | 'turn') {
    this.#kind = kind;
  }

  /** What happened since the last call. */
  lap(): Stretch {
    const [cpu, start] = [this.#cpu, this.#wall];
    this.#cpu = usedMs();
    this.#wall = performance.now();
    return { kind: this.#kind, start, end: this.#wall, busyMs: Math.min(this.#cpu - cpu, this.#wall - start) };
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * What follows the end of a callback belongs to it up to the next one: nothing but waiting lies between, which is no
 * CPU time.
 */
function watchCalls(report: Report): void {
  const clock = new BusyClock('call');
  let depth = 0;
  createHook({
    before() {
      if (depth++ > 0 || isTick(executionAsyncResource())) return;
      report.add(clock.lap());
    },
    after() {
      if (depth > 0) depth--;
    },
    trackPromises: false,
  }).enable();
}

/** Objects of process.nextTick, which run before the loop goes on. */
function isTick(resource: object): boolean {
  return 'callback' in resource && 'args' in resource;
}

function watchTurns(report: Report): void {
  const clock = new BusyClock('turn');
  setInterval(() => report.add(clock.lap()), 1).unref();
}

// Last, since classes are not there before their place.
if (file !== undefined && isMainThread && process.send !== undefined) {
  const report = new Report(process.argv[2] ?? '');
  watchCalls(report);
  watchTurns(report);
}
