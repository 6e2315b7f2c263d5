/** For each item, whether an equal item comes before it. */
export function repetitions(items: readonly unknown[]): readonly boolean[] {
  const seen = new Set<unknown>();
  return items.map((item) => seen.size === seen.add(item).size);
}
