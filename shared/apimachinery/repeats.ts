/** The indexes of the items that stand in the list before, too. */
export function repeatsOf(items: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const repeats = new Set<number>();
  for (const [index, item] of items.entries()) {
    if (seen.has(item)) repeats.add(index);
    else seen.add(item);
  }
  return repeats;
}
