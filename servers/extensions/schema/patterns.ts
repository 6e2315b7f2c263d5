import { compiledPattern } from '#shared/apimachinery/regexp/compiled-patterns.ts';
import type { Matcher } from '#shared/apimachinery/regexp/matcher.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';

/** The error of an invalid pattern, worded as in the reference. */
export class PatternError {
  readonly text: string;

  constructor(text: string) {
    this.text = text.endsWith('at end of expression') ? `${text}: \`\`` : text;
  }
}

/** Compiles a pattern in Go's dialect. */
export function* compilePattern(pattern: string): Steps<Matcher | PatternError> {
  const compiled = yield* compiledPattern(pattern);
  return compiled.error === undefined ? compiled.matcher : new PatternError(compiled.error);
}
