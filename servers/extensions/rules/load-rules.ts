import type { Steps } from '../../../shared/apimachinery/slices.ts';
import type * as Rules from './rules.ts';

let loaded: typeof Rules | undefined;

/**
 * The rules with the language behind them, which few clusters need at start: loaded when a definition first has one.
 */
export async function loadRules(): Promise<typeof Rules> {
  return (loaded ??= await import('./rules.ts'));
}

/** The same within steps. What is not loaded yet is awaited, so the steps have to be run in slices then. */
export function* rulesInSteps(): Steps<typeof Rules> {
  if (loaded === undefined) yield loadRules();
  if (loaded === undefined) throw new Error('validation rules were asked for at once before they were loaded');
  return loaded;
}
