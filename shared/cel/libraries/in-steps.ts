import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Overload } from '#shared/cel/contract/function-declaration.ts';
import type { Value } from '#shared/cel/values/value.ts';

/** Both implementations, at once and in steps, of a function whose work grows with its arguments. */
export function inSteps<Args extends Value[]>(
  steps: (...args: Args) => Steps<Value>,
): Pick<Overload, 'implementation' | 'steps'> {
  return {
    implementation: (...args) => atOnce(steps(...(args as Args))),
    steps: (...args) => steps(...(args as Args)),
  };
}
