import { EVENT_ALIAS, EVENT_DOCUMENT, EVENT_MAPPING, EVENT_POP, EVENT_SCALAR, EVENT_SEQUENCE, getScalarValue, type Event } from 'js-yaml';
import { quoteGo } from './json/go-text.ts';

const prefix = 'yaml: unmarshal errors:\n';
const prefixes: readonly string[] = [prefix, `error converting YAML to JSON: ${prefix}`];

/** The lines of what {@link findDuplicateKeys} says, each a warning of its own; any other text as it is (apiserver's parseYAMLWarnings). */
export function strictErrorLines(text: string): string[] {
  const start = prefixes.find((one) => text.startsWith(one));
  return start === undefined ? [text] : text.slice(start.length).split('\n').map((line) => line.trim());
}

/** One open collection; keys only for a mapping. */
interface Open {
  readonly keys: Set<string> | undefined;
  /** In a mapping, whether the next node is a key. */
  expectKey: boolean;
  /** The key whose value comes next, when it stood before already. */
  repeated: string | undefined;
}

/**
 * Keys that stand twice in one mapping, as go-yaml's strict reader reports them: one text with a line for each, named
 * by the line of the second value. Empty when there are none.
 */
export function findDuplicateKeys(source: string, events: readonly Event[]): string[] {
  const open: Open[] = [];
  const found: string[] = [];
  let documents = 0;
  for (const event of events) {
    if (event.type === EVENT_DOCUMENT && ++documents > 1) break;
    if (event.type === EVENT_POP) open.pop();
    else if (event.type === EVENT_DOCUMENT) open.push({ keys: undefined, expectKey: false, repeated: undefined });
    else {
      visit(source, event, open.at(-1), found);
      if (event.type === EVENT_MAPPING) open.push({ keys: new Set(), expectKey: true, repeated: undefined });
      if (event.type === EVENT_SEQUENCE) open.push({ keys: undefined, expectKey: false, repeated: undefined });
    }
  }
  return found.length === 0 ? [] : [`${prefix}${found.map((line) => `  ${line}`).join('\n')}`];
}

function visit(source: string, event: Event, parent: Open | undefined, found: string[]): void {
  if (parent?.keys === undefined) return;
  if (parent.expectKey) {
    const key = event.type === EVENT_SCALAR ? getScalarValue(source, event) : undefined;
    // A merge key may stand for several mappings.
    parent.repeated = key !== undefined && key !== '<<' && parent.keys.has(key) ? key : undefined;
    if (key !== undefined) parent.keys.add(key);
  } else if (parent.repeated !== undefined) {
    found.push(`line ${lineOf(source, startOf(event))}: key ${quoteGo(parent.repeated)} already set in map`);
  }
  parent.expectKey = !parent.expectKey;
}

function startOf(event: Event): number {
  if (event.type === EVENT_SCALAR) return event.valueStart;
  if (event.type === EVENT_ALIAS) return event.anchorStart;
  return event.type === EVENT_MAPPING || event.type === EVENT_SEQUENCE ? event.start : 0;
}

function lineOf(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line++;
  return line;
}
