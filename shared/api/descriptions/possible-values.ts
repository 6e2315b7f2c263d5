/** Begins the list of an enum's values, at the end of a text. */
export const valuesHead = 'Possible enum values:\n';

/** A text without its list of values, which tools that do not know of enums do not write. */
export function withoutValues(text: string): string {
  return (text.split(valuesHead, 1)[0] ?? '').trimEnd();
}

/** The text with a list of the values: as one of the others has it with what each of them means, else without. */
export function withValues(text: string, values: readonly string[], others: readonly string[]): string {
  const like = others.find((other) => listedValues(other).join() === values.join());
  const list = like?.slice(withoutValues(like).length);
  return withoutValues(text) + (list ?? `\n\n${valuesHead}${values.map((value) => ` - \`"${value}"\``).join('\n')}`);
}

function listedValues(text: string): string[] {
  return [...text.matchAll(/^ - `"(.*?)"`/gm)].map(([, value]) => value ?? '');
}
