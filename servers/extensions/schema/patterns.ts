import { LRUCache } from 'lru-cache';
import { Matcher } from '../../../shared/apimachinery/regexp/matcher.ts';

/** A pattern in Go's dialect, which takes time linear in the text, or why it is none. */
export type Pattern = Matcher | { readonly error: string };

const compiled = new LRUCache<string, Pattern>({ max: 2000 });

/** Compiles a pattern; definitions repeat theirs often. */
export function compilePattern(pattern: string): Pattern {
  let known = compiled.get(pattern);
  if (known === undefined) compiled.set(pattern, (known = compile(pattern)));
  return known;
}

function compile(pattern: string): Pattern {
  try {
    return new Matcher(pattern);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: message.endsWith('at end of expression') ? `${message}: \`\`` : message };
  }
}
