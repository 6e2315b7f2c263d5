import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** A pattern in Go's dialect, which takes time linear in the text, or why it is none. */
export type Pattern = { readonly matches: (text: string) => boolean } | { readonly error: string };

const compiled = new LRUCache<string, Pattern>({ max: 2000 });

/** Compiles a pattern; definitions repeat theirs often. */
export function compilePattern(pattern: string): Pattern {
  let known = compiled.get(pattern);
  if (known === undefined) compiled.set(pattern, (known = compile(pattern)));
  return known;
}

function compile(pattern: string): Pattern {
  try {
    const expression = RE2JS.compile(pattern);
    return { matches: (text) => expression.matcher(text).find() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: message.endsWith('at end of expression') ? `${message}: \`\`` : message };
  }
}
