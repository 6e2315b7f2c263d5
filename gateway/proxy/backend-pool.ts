import type { Backend } from './backend.ts';

/** The current processes of one server (core or extensions). */
export class BackendPool {
  /** Name of the server for messages, such as `core`. */
  readonly name: string;
  #backends: readonly Backend[];
  #next = 0;

  constructor(name: string, backends: readonly Backend[] = []) {
    this.name = name;
    this.#backends = backends;
  }

  get backends(): readonly Backend[] {
    return this.#backends;
  }

  /** Replaces the backends of the pool. */
  replace(backends: readonly Backend[]): void {
    this.#backends = backends;
  }

  /**
   * Picks the usable backend with the fewest outstanding requests relative to its weight; equal ones take turns. A
   * doubtful backend is picked only if no other is usable, a draining one only if none is usable. Undefined if no
   * backend is connected.
   */
  pick(excluded?: ReadonlySet<Backend>): Backend | undefined {
    const backends = this.#backends;
    if (backends.length === 1) {
      const only = backends[0];
      return (only?.usable === true || only?.draining === true) && excluded?.has(only) !== true ? only : undefined;
    }
    let best: Backend | undefined;
    let least = Infinity;
    this.#next = (this.#next + 1) % Math.max(1, backends.length);
    for (let step = 0; step < backends.length; step++) {
      const candidate = backends[(this.#next + step) % backends.length];
      if (candidate === undefined || !candidate.usable || excluded?.has(candidate) === true) continue;
      const load = (candidate.outstanding + 1) / candidate.weight + (candidate.doubtful ? doubt : 0);
      if (best !== undefined && load >= least) continue;
      best = candidate;
      least = load;
    }
    return best ?? backends.find((backend) => backend.draining && excluded?.has(backend) !== true);
  }
}

/** Added to the load of a doubtful backend; larger than any number of requests. */
const doubt = 1e9;
