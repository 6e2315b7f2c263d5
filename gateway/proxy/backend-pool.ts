import type { Backend } from './backend.ts';

/** The processes that serve the same thing at this moment. */
export class BackendPool {
  /** For messages: `core`. */
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

  /** Those of now instead of those before. */
  replace(backends: readonly Backend[]): void {
    this.#backends = backends;
  }

  /**
   * The usable backend with the fewest outstanding requests for its weight; equals take turns. A doubtful one is chosen
   * only if there is no other, a draining one only if there is none else at all. Undefined if all are away.
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

/** More than any number of requests. */
const doubt = 1e9;
