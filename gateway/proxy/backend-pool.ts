import type { Backend } from './backend.ts';

/** The processes that serve the same thing. Immutable; made anew when the set changes. */
export class BackendPool {
  /** For messages: `core`. */
  readonly name: string;
  readonly backends: readonly Backend[];
  #next = 0;

  constructor(name: string, backends: readonly Backend[]) {
    this.name = name;
    this.backends = backends;
  }

  /** The healthy backend with the fewest requests outstanding; equals take turns. Undefined: all are away. */
  pick(excluded?: ReadonlySet<Backend>): Backend | undefined {
    const { backends } = this;
    let best: Backend | undefined;
    this.#next = (this.#next + 1) % Math.max(1, backends.length);
    for (let step = 0; step < backends.length; step++) {
      const candidate = backends[(this.#next + step) % backends.length];
      if (candidate === undefined || !candidate.usable || excluded?.has(candidate) === true) continue;
      if (best === undefined || candidate.outstanding < best.outstanding) best = candidate;
    }
    return best;
  }
}
