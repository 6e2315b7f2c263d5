import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type * as Rules from './rules.ts';

let loaded: typeof Rules | undefined;

/**
 * Loads the modules of rules and CEL when a definition first has a rule: few clusters need them at start.
 */
export async function loadRules(): Promise<typeof Rules> {
  return (loaded ??= await import('./rules.ts'));
}

/** {@link loadRules} as steps. Unless the modules are loaded already, the steps must run in slices. */
export function* loadedRules(): Steps<typeof Rules> {
  if (loaded === undefined) yield loadRules();
  if (loaded === undefined) throw new Error('validation rules were asked for at once before they were loaded');
  return loaded;
}
