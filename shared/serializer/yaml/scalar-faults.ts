import {
  COLLECTION_STYLE_BLOCK,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_PLAIN,
  type Event,
} from 'js-yaml';
import { tabText } from './errors.ts';
import { expectedAfterEntry } from './flow-errors.ts';
import { goYamlLine } from './line.ts';

const escapes = /\\(?:([^xuU])|x[0-9a-fA-F]{2}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/gs;
/** The text before a line that begins with a tab, where only blank lines precede it. */
const tabLine = /[ \t]*(?:\r?\n *)*\r?\n(?=\t)/y;

/**
 * The error for scalars that go-yaml v2 refuses and our reader accepts: some escapes, and continuation lines that begin
 * with a tab. Undefined if there are none.
 */
export function scalarFault(source: string, events: readonly Event[]): string | undefined {
  /** Whether the open collections are blocks. */
  const blocks: boolean[] = [];
  for (const event of events) {
    if (event.type === EVENT_POP) blocks.pop();
    else if (event.type === EVENT_DOCUMENT) blocks.push(false);
    else if (event.type === EVENT_MAPPING || event.type === EVENT_SEQUENCE)
      blocks.push(event.style === COLLECTION_STYLE_BLOCK);
    if (event.type !== EVENT_SCALAR) continue;
    if (event.style === SCALAR_STYLE_PLAIN && blocks.at(-1) === true) {
      tabLine.lastIndex = event.valueEnd;
      const between = tabLine.exec(source)?.[0];
      if (between !== undefined) return scannerLine(source.slice(0, event.valueEnd) + between, tabText);
    }
    if (event.style === SCALAR_STYLE_PLAIN && blocks.at(-1) === false) {
      const question = source.slice(event.valueStart, event.valueEnd).indexOf('?');
      if (question > 0) return questionFault(source, event.valueStart + question);
    }
    const fault =
      event.style === SCALAR_STYLE_DOUBLE_QUOTED ? escapeFault(source, event.valueStart, event.valueEnd) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * The error for a question mark in a plain scalar within brackets, where go-yaml reads it as the beginning of a key.
 */
function questionFault(source: string, position: number): string {
  const before = source.slice(0, position);
  return goYamlLine(before.split('\n').length - 1, expectedAfterEntry(before));
}

function escapeFault(source: string, start: number, end: number): string | undefined {
  const text = source.slice(start, end);
  if (!text.includes('\\')) return undefined;
  for (const { 1: char, 2: short, 3: long, index } of text.matchAll(escapes)) {
    const code = Number.parseInt(short ?? long ?? '0', 16);
    const fault =
      char === '/'
        ? 'found unknown escape character'
        : (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff
          ? 'found invalid Unicode character escape code'
          : undefined;
    if (fault !== undefined) return scannerLine(source.slice(0, start + index), fault);
  }
  return undefined;
}

function scannerLine(before: string, text: string): string {
  const breaks = before.split('\n').length - 1;
  return breaks === 0 ? `yaml: ${text}` : `yaml: line ${breaks + 1}: ${text}`;
}
