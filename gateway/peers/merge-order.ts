import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';

/**
 * Merges lists of names into one without repetitions. It keeps the order of every list; where no list orders two names,
 * that of their bytes. Lists that contradict each other are merged in the order of bytes. A list that has all names is
 * taken as it is (apimachinery/pkg/util/sort MergePreservingRelativeOrder).
 */
export function mergeOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const followers = new Map<string, Set<string>>();
  const waitsFor = new Map<string, number>();
  for (const list of lists) {
    for (const [at, name] of list.entries()) {
      const after = followers.get(name) ?? new Set();
      followers.set(name, after);
      if (!waitsFor.has(name)) waitsFor.set(name, 0);
      const next = list[at + 1];
      if (next === undefined || after.has(next)) continue;
      after.add(next);
      waitsFor.set(next, (waitsFor.get(next) ?? 0) + 1);
    }
  }
  const whole = lists.find((list) => list.length === followers.size && new Set(list).size === list.length);
  return whole ?? sorted(followers, waitsFor);
}

function sorted(followers: ReadonlyMap<string, ReadonlySet<string>>, waitsFor: Map<string, number>): string[] {
  const result: string[] = [];
  /** Names before which no other has to come, the first at the end. */
  const free = [...waitsFor].flatMap(([name, count]) => (count === 0 ? [name] : [])).sort((a, b) => compareUtf8(b, a));
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    result.push(name);
    for (const next of followers.get(name) ?? []) {
      const left = (waitsFor.get(next) ?? 0) - 1;
      waitsFor.set(next, left);
      if (left === 0) free.splice(placeOf(free, next), 0, next);
    }
  }
  return result.length === followers.size ? result : [...followers.keys()].sort(compareUtf8);
}

/** Where the name belongs in names of falling order. */
function placeOf(names: readonly string[], name: string): number {
  let [from, to] = [0, names.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareUtf8(names[middle] ?? '', name) > 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
