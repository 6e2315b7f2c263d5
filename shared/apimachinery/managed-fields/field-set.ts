import { compareElements, PathElement } from '#shared/apimachinery/schema/path-element.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';

/** One element at a level of a set. A child level is never empty. */
export interface SetEntry {
  readonly element: PathElement;
  /** The path that ends here belongs to the set. */
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}

/** A path; a string is the field of that name. */
export type FieldPath = readonly (PathElement | string)[];

/**
 * An immutable set of field paths, held as a tree. A path can be in the set without its parents. Operations share
 * unchanged parts and return `this` where nothing changed.
 */
export class FieldSet {
  static readonly empty = new FieldSet([]);

  /** In the order of {@link compareElements}, each element once. */
  readonly entries: readonly SetEntry[];

  private constructor(entries: readonly SetEntry[]) {
    this.entries = entries;
  }

  /** `entries` must be sorted, without duplicates and without empty children. */
  static ofSorted(entries: readonly SetEntry[]): FieldSet {
    return entries.length === 0 ? FieldSet.empty : new FieldSet(entries);
  }

  /** Sorts the entries in place if necessary; each element must occur only once. */
  static *ofEntries(entries: SetEntry[]): Steps<FieldSet> {
    return FieldSet.ofSorted(isSorted(entries) ? entries : yield* sortInSteps(entries, byElement));
  }

  /** As {@link ofEntries}, at once. */
  static ofEntriesNow(entries: SetEntry[]): FieldSet {
    return FieldSet.ofSorted(isSorted(entries) ? entries : entries.sort(byElement));
  }

  /** As {@link ofEntries}, but elements may repeat: two different texts may mean the same element. */
  static *ofDoubles(entries: SetEntry[]): Steps<FieldSet> {
    const sorted = isSorted(entries) ? entries : yield* sortInSteps(entries, byElement);
    const kept: SetEntry[] = [];
    for (let start = 0, end = 0; start < sorted.length; start = end) {
      const first = sorted[start] as SetEntry;
      while (end < sorted.length && byElement(first, sorted[end] as SetEntry) === 0) end++;
      kept.push(end - start === 1 ? first : yield* united(sorted.slice(start, end)));
      if (sliceIsOver()) yield;
    }
    return FieldSet.ofSorted(kept);
  }

  /** The set of these paths. The empty path means the whole object, which is never owned, and adds nothing. */
  static of(...paths: readonly FieldPath[]): FieldSet {
    let out = FieldSet.empty;
    for (const path of paths) out = out.union(single(path, 0));
    return out;
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** Number of paths. */
  get size(): number {
    return this.entries.reduce((sum, { member, children }) => sum + (member ? 1 : 0) + (children?.size ?? 0), 0);
  }

  /** The entry of an element at the top level. */
  entry(element: PathElement): SetEntry | undefined {
    const { entries } = this;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const candidate = entries[middle] as SetEntry;
      const order = compareElements(candidate.element, element);
      if (order === 0) return candidate;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  has(path: FieldPath): boolean {
    const [first, ...rest] = path;
    const entry =
      first === undefined ? undefined : this.entry(typeof first === 'string' ? PathElement.field(first) : first);
    return rest.length === 0 ? entry?.member === true : entry?.children?.has(rest) === true;
  }

  /** The paths below an element, without it. */
  withPrefix(element: PathElement): FieldSet {
    return this.entry(element)?.children ?? FieldSet.empty;
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.entries.length !== other.entries.length) return false;
    return this.entries.every((entry, i) => equalEntries(entry, other.entries[i] as SetEntry));
  }

  union(other: FieldSet): FieldSet {
    if (this === other || other.isEmpty) return this;
    if (this.isEmpty) return other;
    return combine(this, other, unionEntries);
  }

  intersection(other: FieldSet): FieldSet {
    if (this === other) return this;
    if (this.isEmpty || other.isEmpty) return FieldSet.empty;
    return narrow(this, other, intersectEntries);
  }

  /** Paths that are not in the other set. A parent in the other set does not take its children away. */
  difference(other: FieldSet): FieldSet {
    if (this === other) return FieldSet.empty;
    if (this.isEmpty || other.isEmpty) return this;
    return narrow(this, other, subtractEntries);
  }

  /** Paths that neither are in the other set nor lie below one of its paths. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    return narrow(this, other, cutEntries);
  }

  /** Only the paths below which there are no others. */
  leaves(): FieldSet {
    return this.#mapEntries((entry) =>
      entry.children === undefined ? entry : entryOf(entry, entry.element, false, entry.children.leaves()),
    );
  }

  /** Every path, parents first at each level. Each path is a new array. */
  *paths(): Generator<PathElement[]> {
    yield* pathsBelow(this, []);
  }

  /** One path a line. */
  toString(): string {
    return [...this.paths()].map((path) => path.join('')).join('\n');
  }

  #mapEntries(map: (entry: SetEntry) => SetEntry | undefined): FieldSet {
    const { entries } = this;
    let out: SetEntry[] | undefined;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as SetEntry;
      const mapped = map(entry);
      if (mapped !== entry) out ??= entries.slice(0, i);
      if (out !== undefined && mapped !== undefined) out.push(mapped);
    }
    return out === undefined ? this : FieldSet.ofSorted(out);
  }

  /** The same set with each entry replaced (by one of the same element) or left out. */
  map(replace: (entry: SetEntry) => SetEntry | undefined): FieldSet {
    return this.#mapEntries(replace);
  }
}

/**
 * Merges several entries of one element, pair by pair, so that the work is not quadratic in their number.
 */
function* united(entries: readonly SetEntry[]): Steps<SetEntry> {
  let all = entries;
  while (all.length > 1) {
    const halved: SetEntry[] = [];
    for (let i = 0; i < all.length; i += 2) {
      halved.push(unionEntries(all[i], all[i + 1]) as SetEntry);
      if (sliceIsOver()) yield;
    }
    all = halved;
  }
  return all[0] as SetEntry;
}

function isSorted(entries: readonly SetEntry[]): boolean {
  for (let i = 1; i < entries.length; i++)
    if (byElement(entries[i - 1] as SetEntry, entries[i] as SetEntry) > 0) return false;
  return true;
}

function byElement(a: SetEntry, b: SetEntry): number {
  return compareElements(a.element, b.element);
}

function single(path: FieldPath, at: number): FieldSet {
  const step = path[at];
  if (step === undefined) return FieldSet.empty;
  const element = typeof step === 'string' ? PathElement.field(step) : step;
  if (at === path.length - 1) return FieldSet.ofSorted([{ element, member: true, children: undefined }]);
  return FieldSet.ofSorted([{ element, member: false, children: single(path, at + 1) }]);
}

function* pathsBelow(set: FieldSet, prefix: readonly PathElement[]): Generator<PathElement[]> {
  for (const { element, member } of set.entries) if (member) yield [...prefix, element];
  for (const { element, children } of set.entries)
    if (children !== undefined) yield* pathsBelow(children, [...prefix, element]);
}

function equalEntries(a: SetEntry, b: SetEntry): boolean {
  if (a === b) return true;
  if (a.member !== b.member || a.element.text !== b.element.text) return false;
  if (a.children === undefined || b.children === undefined) return a.children === b.children;
  return a.children.equals(b.children);
}

/** Returns the resulting entry for an element's entries on both sides (one may be absent); undefined leaves it out. */
type Combine = (left: SetEntry | undefined, right: SetEntry | undefined) => SetEntry | undefined;

function combine(left: FieldSet, right: FieldSet, decide: Combine): FieldSet {
  const a = left.entries;
  const b = right.entries;
  // Created when the first entry differs from that of the left set.
  let out: SetEntry[] | undefined;
  let j = 0;
  for (let i = 0; i < a.length || j < b.length;) {
    const order =
      i === a.length
        ? 1
        : j === b.length
          ? -1
          : compareElements((a[i] as SetEntry).element, (b[j] as SetEntry).element);
    const mine = order <= 0 ? a[i] : undefined;
    const entry = decide(mine, order >= 0 ? b[j] : undefined);
    if (entry !== mine) out ??= a.slice(0, i);
    if (out !== undefined && entry !== undefined) out.push(entry);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return out === undefined ? left : FieldSet.ofSorted(out);
}

/**
 * As {@link combine}, for decisions that leave out what the left set lacks. An object may have thousands of managers
 * that own one field each, and a change as many fields.
 */
function narrow(left: FieldSet, right: FieldSet, decide: Combine): FieldSet {
  return left.entries.length * 32 < right.entries.length
    ? left.map((entry) => decide(entry, right.entry(entry.element)))
    : combine(left, right, decide);
}

/** The entry with these contents: `like` itself if it has the same; undefined if the entry would be empty. */
function entryOf(
  like: SetEntry,
  element: PathElement,
  member: boolean,
  children: FieldSet | undefined,
): SetEntry | undefined {
  const kept = children === undefined || children.isEmpty ? undefined : children;
  if (!member && kept === undefined) return undefined;
  return like.member === member && like.children === kept ? like : { element, member, children: kept };
}

function unionEntries(left: SetEntry | undefined, right: SetEntry | undefined): SetEntry | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const children =
    left.children === undefined
      ? right.children
      : right.children === undefined
        ? left.children
        : left.children.union(right.children);
  return entryOf(left, left.element, left.member || right.member, children);
}

function intersectEntries(left: SetEntry | undefined, right: SetEntry | undefined): SetEntry | undefined {
  if (left === undefined || right === undefined) return undefined;
  const children =
    left.children === undefined || right.children === undefined
      ? undefined
      : left.children.intersection(right.children);
  return entryOf(left, left.element, left.member && right.member, children);
}

function subtractEntries(left: SetEntry | undefined, right: SetEntry | undefined): SetEntry | undefined {
  if (left === undefined || right === undefined) return left;
  const children =
    left.children === undefined || right.children === undefined
      ? left.children
      : left.children.difference(right.children);
  return entryOf(left, left.element, left.member && !right.member, children);
}

function cutEntries(left: SetEntry | undefined, right: SetEntry | undefined): SetEntry | undefined {
  if (left === undefined || right === undefined) return left;
  if (right.member) return undefined;
  const children =
    left.children === undefined || right.children === undefined
      ? left.children
      : left.children.recursiveDifference(right.children);
  return entryOf(left, left.element, left.member, children);
}
