import { endsEarlier } from './explained.ts';
import type { Change } from './timeline.ts';

/** How much earlier or later than the reference something may happen. */
const toleranceMs = 300;

type Seen = ReadonlyMap<string, readonly Change[]>;

/** @returns what each probe saw that differs: other answers, or at other times */
export function timelineDifferences(want: Seen, have: Seen): ReadonlyMap<string, readonly string[]> {
  const differences = new Map<string, string[]>();
  for (const probe of new Set([...want.keys(), ...have.keys()])) {
    const [theirs, ours] = [want.get(probe) ?? [], have.get(probe) ?? []];
    const isEqual = match(theirs, ours) || (probe === 'exit' && endsEarlier(theirs, ours));
    differences.set(probe, isEqual ? [] : [`reference: ${textOf(theirs)}`, `ours:      ${textOf(ours)}`]);
  }
  return differences;
}

/**
 * Whether two probes saw the same. What lasted for less than the tolerance on one server may have been missed on the
 * other: it begins and ends there at the same moment.
 */
function match(theirs: readonly Change[], ours: readonly Change[]): boolean {
  const [want, have] = [theirs[0], ours[0]];
  if (want === undefined && have === undefined) return true;
  if (want !== undefined && have !== undefined && isSame(want, have) && match(theirs.slice(1), ours.slice(1)))
    return true;
  return (isBrief(theirs) && match(theirs.slice(1), ours)) || (isBrief(ours) && match(theirs, ours.slice(1)));
}

function isSame(want: Change, have: Change): boolean {
  return want.answer === have.answer && Math.abs(want.atMs - have.atMs) <= toleranceMs;
}

/** Whether the first answer was soon followed by another. */
function isBrief([first, next]: readonly Change[]): boolean {
  return first !== undefined && next !== undefined && next.atMs - first.atMs < toleranceMs;
}

function textOf(changes: readonly Change[]): string {
  return changes.map(({ atMs, answer }) => `${(atMs / 1000).toFixed(2)} s ${shortened(answer)}`).join(' → ');
}

/** Of lists of checks: the failed ones, and how many there are. */
function shortened(answer: string): string {
  const lines = answer.split('\n');
  const others = lines.filter((line) => !/^(.* \| )?\[\+\]/.test(line));
  return others.length === lines.length ? answer : `${lines[0]} … ${lines.length} lines: ${others.join(' ')}`;
}
