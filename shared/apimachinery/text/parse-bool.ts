const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falsehoods: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** The texts that Go's strconv.ParseBool reads; undefined for any other. */
export function parseBool(text: string): boolean | undefined {
  if (truths.has(text)) return true;
  return falsehoods.has(text) ? false : undefined;
}
