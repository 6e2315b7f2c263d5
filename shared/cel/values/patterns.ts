import { Matcher } from '../../apimachinery/regexp/matcher.ts';

/** How many patterns are kept compiled, or with what is wrong with them. */
const most = 1000;
const compiled = new Map<string, Matcher | string>();

/** The matcher of a pattern of Go's dialect, or what is wrong with it in Go's words. */
export function matcherOf(pattern: string): Matcher | string {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (compiled.size >= most) compiled.clear();
  const matcher = compilePattern(pattern);
  compiled.set(pattern, matcher);
  return matcher;
}

function compilePattern(pattern: string): Matcher | string {
  try {
    return new Matcher(pattern);
  } catch (error) {
    return (error as Error).message;
  }
}

/** What is wrong with a pattern, in Go's words; undefined for a good one. */
export function patternError(pattern: string): string | undefined {
  const matcher = matcherOf(pattern);
  return typeof matcher === 'string' ? matcher : undefined;
}
