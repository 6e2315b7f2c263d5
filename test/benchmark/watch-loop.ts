// Loaded into each process of a cluster (`--import`): writes down what held its event loop for long. CPU time of the thread
// counts, not time that passed, since other work on the machine must not; time that passed is the bound where it is less,
// because the kernel counts CPU time in ticks. Garbage collection is included.
import { createHook, executionAsyncResource } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** `call`: one callback with the ticks and microtasks behind it. `turn`: all callbacks of one turn of the loop. */
type Kind = 'call' | 'turn';

const noteworthyMs = 4;
const file = process.env['LOOP_TURNS_FILE'];

/** What follows the end of a callback belongs to it up to the next one: nothing but waiting lies between, which is no CPU time. */
function watchCalls(onCall: (ms: number) => void): void {
  const clock = new BusyClock();
  let depth = 0;
  createHook({
    before() {
      if (depth++ > 0 || isTick(executionAsyncResource())) return;
      onCall(clock.lap());
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

function watchTurns(onTurn: (ms: number) => void): void {
  const clock = new BusyClock();
  setInterval(() => onTurn(clock.lap()), 1).unref();
}

class BusyClock {
  #cpu = usedMs();
  #wall = performance.now();

  /** CPU time of this thread since the last call, in ms. */
  lap(): number {
    const cpu = usedMs();
    const wall = performance.now();
    const ms = Math.min(cpu - this.#cpu, wall - this.#wall);
    this.#cpu = cpu;
    this.#wall = wall;
    return ms;
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

// Last, since classes are not there before their place.
if (file !== undefined && isMainThread && process.send !== undefined) {
  const name = process.argv[2] ?? '';
  const note = (kind: Kind, ms: number): void => {
    if (ms > noteworthyMs) appendFileSync(file, `${name} ${kind} ${ms.toFixed(1)}\n`);
  };
  watchCalls((ms) => note('call', ms));
  watchTurns((ms) => note('turn', ms));
}
