import { sliceIsOver } from '#shared/apimachinery/slices/slices.ts';

/** How many parts of an expression are processed between two checks of the clock; each takes about a microsecond. */
const partsBetween = 32;

let parts = 0;

/** Whether steps that process an expression part by part should yield now; called once for each part. */
export function partIsOver(): boolean {
  return (++parts & (partsBetween - 1)) === 0 && sliceIsOver();
}
