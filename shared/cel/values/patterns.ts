import { Matcher } from '../../apimachinery/regexp/matcher.ts';

/** How many patterns are kept compiled. */
const most = 1000;
const compiled = new Map<string, Matcher>();

/** The matcher of a pattern of Go's dialect. @throws Error with Go's text of what is wrong */
export function matcherOf(pattern: string): Matcher {
  let matcher = compiled.get(pattern);
  if (matcher === undefined) {
    matcher = new Matcher(pattern);
    if (compiled.size >= most) compiled.clear();
    compiled.set(pattern, matcher);
  }
  return matcher;
}

/** What is wrong with a pattern, in Go's words; undefined for a good one. */
export function patternError(pattern: string): string | undefined {
  try {
    matcherOf(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
