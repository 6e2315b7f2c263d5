/**
 * An answer has at most 4096 characters of warnings (shared/filters/warning-recorder.ts), and a warning about an item
 * of a list is longer than 32.
 */
const maxShown = 128;
/** Warnings that hold such a character are not shown, and do not count. */
const control = /\p{Cc}/u;

/**
 * The warnings about the items of a list, in order. It ends when there are as many as an answer can show, so that
 * hundreds of thousands of items do not make as many texts.
 */
export function firstWarnings<T>(
  items: Iterable<T>,
  warningsOf: (item: T, index: number) => readonly string[],
): string[] {
  const texts = new Set<string>();
  let [index, shown] = [0, 0];
  for (const item of items) {
    for (const text of warningsOf(item, index++)) {
      if (!texts.has(text) && !control.test(text)) shown++;
      texts.add(text);
    }
    if (shown >= maxShown) break;
  }
  return [...texts];
}
