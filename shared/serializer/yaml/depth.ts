import { COLLECTION_STYLE, EVENT_DOCUMENT, EVENT_MAPPING, EVENT_POP, EVENT_SEQUENCE, type Event } from 'js-yaml';
import { JsonDepthError, maxJsonDepth } from '#shared/serializer/json/scan.ts';
import { openBrackets } from './brackets.ts';
import type { YamlFault } from './errors.ts';

/** go-yaml counts brackets and indentation separately (go-yaml v2, scannerc.go: max_flow_level, max_indents). */
const maxYamlDepth = 10_000;

/**
 * The limit for our reader, which counts values, so also the value in the innermost collection. One further collection
 * is left to {@link checkDepth}.
 */
export const readerDepth = maxJsonDepth + 2;

/** The error for nesting deeper than go-yaml reads; the reason is in its words. */
export class YamlDepthError extends Error implements YamlFault {
  override readonly name = 'YamlDepthError';
  readonly reason = `exceeded max depth of ${maxYamlDepth}`;
  readonly line: number;

  constructor(line: number) {
    super();
    this.line = line;
  }
}

/** @throws YamlDepthError or JsonDepthError where the first document is nested too deep */
export function checkDepth(source: string, events: readonly Event[]): void {
  let depth = -1;
  for (const event of events) {
    if (event.type === EVENT_POP) depth -= 1;
    else if (event.type === EVENT_DOCUMENT) depth = 0;
    else if (event.type === EVENT_MAPPING || event.type === EVENT_SEQUENCE) {
      depth += 1;
      if (depth > maxJsonDepth)
        throw depthError(source, event.start + (event.style === COLLECTION_STYLE.FLOW ? 1 : 0), depth);
    }
  }
}

/** The depth error for a text that is valid up to `end`, where `depth` collections are open. */
export function depthError(source: string, end: number, depth: number): YamlDepthError | JsonDepthError {
  const read = source.slice(0, end);
  const brackets = openBrackets(read);
  // A list that is the value of a key need not be indented.
  const isTooDeep = brackets.length > maxYamlDepth || depth - brackets.length > maxYamlDepth + 1;
  return isTooDeep ? new YamlDepthError(read.split('\n').length - 1) : new JsonDepthError(brackets.at(-1) ?? '[');
}
