import { YAMLException } from 'js-yaml';

/**
 * The text with the line further in at which our reader stopped, which asks for indentation within brackets and
 * quotation marks, too; go-yaml has none there, and white space means nothing. Undefined for all other errors.
 */
export function indentedFurther(source: string, error: unknown): string | undefined {
  if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation' || error.mark === undefined)
    return undefined;
  const { position } = error.mark;
  const start = source.lastIndexOf('\n', position - 1) + 1;
  if (source.slice(position).trim() === '' || /^(?:---|\.\.\.)(?:\s|$)/.test(source.slice(start, start + 4)))
    return undefined;
  return source.slice(0, start) + ' '.repeat(deepestIndentation(source) + 1) + source.slice(start);
}

/** Columns before the first word of any line; a list within a list stands on the line of its parent. */
function deepestIndentation(source: string): number {
  let deepest = 0;
  for (const [indentation] of source.matchAll(/^[ ?-]+/gm)) deepest = Math.max(deepest, indentation.length);
  return deepest;
}
