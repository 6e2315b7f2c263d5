/** One decoder. */
export interface FuzzTarget {
  readonly name: string;
  /** Inputs of all shapes that it reads; others are made from them. */
  readonly samples: readonly (string | Uint8Array)[];
  /** Parts that are put in. */
  readonly tokens: readonly string[];
  /**
   * Decodes, and checks what must hold of the result. Throws one of `refusals` for an input that is refused; everything
   * else that it throws is a bug.
   */
  run(bytes: Buffer): void;
  /** Names of error classes that say that the input is wrong. */
  readonly refusals: readonly string[];
}

/** What must hold does not. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export function promise(holds: boolean, what: string): void {
  if (!holds) throw new BrokenPromise(what);
}
