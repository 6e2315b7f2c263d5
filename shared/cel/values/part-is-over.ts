import { sliceIsOver } from '../../apimachinery/slices.ts';

/** Parts of an expression between two looks at the clock; each takes about a microsecond. */
const partsBetween = 32;

let parts = 0;

/** For steps that go over an expression part by part, whether they should yield now. */
export function partIsOver(): boolean {
  return (++parts & (partsBetween - 1)) === 0 && sliceIsOver();
}
