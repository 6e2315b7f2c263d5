import { Op, type PatternProgram } from './program.ts';

/** Finds the places (instructions) of a program that are reached without consuming a character. */
export class EmptyMoves {
  readonly #program: PatternProgram;
  /** For each place, the number of the last walk that passed it. */
  readonly #passedIn: Uint32Array;
  #walk = 0;

  constructor(program: PatternProgram) {
    this.#program = program;
    this.#passedIn = new Uint32Array(program.ops.length);
  }

  /** Begins a new walk, in which every place may be visited once. */
  begin(): void {
    this.#walk++;
  }

  /**
   * Calls `reached` with the places that consume a character or end a match, in the pattern's order of preference.
   * Places that this walk passed before are left out.
   *
   * @param assertions Those ({@link Assertion}) that hold between the characters here.
   */
  follow(first: number, assertions: number, reached: (place: number) => void): void {
    const { ops, outs, args } = this.#program;
    const pending = [first];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (this.#passedIn[place] === this.#walk) continue;
      this.#passedIn[place] = this.#walk;
      const [out, arg] = [outs[place] as number, args[place] as number];
      switch (ops[place]) {
        case Op.fail:
          break;
        case Op.alt:
        case Op.altMatch:
          pending.push(arg, out);
          break;
        case Op.nop:
        case Op.capture:
          pending.push(out);
          break;
        case Op.emptyWidth:
          if ((arg & ~assertions) === 0) pending.push(out);
          break;
        default:
          reached(place);
      }
    }
  }
}
