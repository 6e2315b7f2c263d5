import type * as Conditions from './webhook-conditions.ts';

let loaded: typeof Conditions | undefined;

/** Loads CEL when there is a webhook with match conditions: few clusters have one at start. */
export async function loadConditions(): Promise<typeof Conditions> {
  return (loaded ??= await import('./webhook-conditions.ts'));
}
