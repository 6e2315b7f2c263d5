import type * as Engine from './engine.ts';

let loaded: typeof Engine | undefined;

/** Loads the modules of policies and CEL when there is a policy: few clusters need them at start. */
export async function loadEngine(): Promise<typeof Engine> {
  return (loaded ??= await import('./engine.ts'));
}
