/** A run of equal lines: `size` of them from `a` in one text and `b` in the other. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** One step that turns a text into another: lines `a1..a2` become lines `b1..b2`. */
export interface OpCode {
  readonly equal: boolean;
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

/** In long texts, lines that occur in more places than this do not start a match. */
const popularFrom = 200;

/** The algorithm of Python's difflib (Ratcliff and Obershelp), which the reference's diffs use. */
export function opCodes(a: readonly string[], b: readonly string[]): OpCode[] {
  const codes: OpCode[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matches(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) codes.push({ equal: false, a1: i, a2: match.a, b1: j, b2: match.b });
    [i, j] = [match.a + match.size, match.b + match.size];
    if (match.size > 0) codes.push({ equal: true, a1: match.a, a2: i, b1: match.b, b2: j });
  }
  return codes;
}

/** A range of lines in both texts; the upper bounds are exclusive. */
interface Part {
  readonly aLow: number;
  readonly aHigh: number;
  readonly bLow: number;
  readonly bHigh: number;
}

function matches(a: readonly string[], b: readonly string[]): Match[] {
  const indexes = lineIndexes(b);
  const found: Match[] = [];
  const visit = (part: Part): void => {
    const match = longestMatch(a, b, indexes, part);
    if (match.size === 0) return;
    visit({ ...part, aHigh: match.a, bHigh: match.b });
    found.push(match);
    visit({ ...part, aLow: match.a + match.size, bLow: match.b + match.size });
  };
  visit({ aLow: 0, aHigh: a.length, bLow: 0, bHigh: b.length });
  return joined(found);
}

function lineIndexes(lines: readonly string[]): Map<string, number[]> {
  const indexes = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = indexes.get(line);
    if (known) known.push(index);
    else indexes.set(line, [index]);
  }
  const limit = Math.floor(lines.length / 100) + 1;
  if (lines.length >= popularFrom) for (const [line, at] of indexes) if (at.length > limit) indexes.delete(line);
  return indexes;
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  indexes: ReadonlyMap<string, readonly number[]>,
  { aLow, aHigh, bLow, bHigh }: Part,
): Match {
  let best: Match = { a: aLow, b: bLow, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of indexes.get(a[i] ?? '') ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: start, b: other, size } = best;
  while (start > aLow && other > bLow && a[start - 1] === b[other - 1])
    [start, other, size] = [start - 1, other - 1, size + 1];
  while (start + size < aHigh && other + size < bHigh && a[start + size] === b[other + size]) size += 1;
  return { a: start, b: other, size };
}

/** Joins matches that are adjacent in both texts. */
function joined(found: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const match of found) {
    const last = result.at(-1);
    if (last && last.a + last.size === match.a && last.b + last.size === match.b)
      result[result.length - 1] = { ...last, size: last.size + match.size };
    else result.push(match);
  }
  return result;
}
