import { YAMLException } from 'js-yaml';

/**
 * The text with a deeper indentation of the line at which our reader stopped. Our reader requires indentation within
 * brackets and quotation marks, where go-yaml ignores white space. Undefined for all other errors.
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

/**
 * The most columns before the first word of any line; dashes count, since a nested list can begin on the line of its
 * parent.
 */
function deepestIndentation(source: string): number {
  let deepest = 0;
  for (const [indentation] of source.matchAll(/^[ ?-]+/gm)) deepest = Math.max(deepest, indentation.length);
  return deepest;
}
