import { blockError } from './block-errors.ts';
import { missedComma, openFlowText } from './flow-errors.ts';
import { goYamlLine } from './line.ts';

/** An error of js-yaml's reader, with its place in the text. */
export interface YamlFault {
  readonly reason: string;
  /** The line, from 0; undefined where the reader gives none. */
  readonly line: number | undefined;
  /** The offset in the text. */
  readonly position?: number | undefined;
}

/** js-yaml's error texts, each with go-yaml's text where its scanner finds the same fault. */
const scannerTexts: readonly (readonly [reason: RegExp, text: string])[] = [
  [/^unexpected end of the stream within a (double|single) quoted scalar/, 'found unexpected end of stream'],
  [/^bad indentation of a mapping entry/, 'mapping values are not allowed in this context'],
  [/^tab characters must not be used in indentation/, 'found character that cannot start any token'],
  [/^a line break is expected/, 'did not find expected comment or line break'],
  [/^exceeded max depth of \d+/, 'exceeded max depth of 10000'],
  [/^unknown escape sequence/, 'found unknown escape character'],
  [/^bad explicit indentation width of a block scalar/, 'found an indentation indicator equal to 0'],
  [/^name of an (?:anchor|alias) node must contain/, 'did not find expected alphabetic or numeric character'],
  [/^can not read a block mapping entry; a multiline key/, "could not find expected ':'"],
  [/^expected hexadecimal character/, 'did not find expected hexdecimal number'],
];

/** js-yaml's error texts, each with go-yaml's text where its parser finds the fault, which counts lines from 0. */
const parserTexts: readonly (readonly [reason: RegExp, text: string])[] = [
  [/^expected the node content/, 'did not find expected node content'],
  [/^end of the stream or a document separator is expected/, 'did not find expected key'],
  [/^undeclared tag handle/, 'found undefined tag handle'],
];

export const tabText = 'found a tab character that violates indentation';

/** Whether a position is at the start of a line where a plain scalar may continue. */
function followsPlainScalar(before: string): boolean {
  return /(?:^|\n)[^\n"'#]*[\w)]\s*\n$/.test(before);
}

/**
 * The error for an invalid YAML text in the words of go-yaml v2: `yaml: line 2: …`. go-yaml counts lines from 0 and
 * gives none for the first; its scanner adds one. Faults without a known wording keep that of our reader.
 */
export function goYamlError({ reason, line, position }: YamlFault, source: string): string {
  const isOpen = reason === 'deficient indentation' && position !== undefined && source.slice(position).trim() === '';
  if (isOpen || reason.startsWith('unexpected end of the stream within a flow collection')) {
    return `yaml: line ${source.split('\n').length - (source.endsWith('\n') ? 1 : 0)}: ${openFlowText(source.trimEnd())}`;
  }
  if (
    position !== undefined &&
    reason.startsWith('tab characters must not') &&
    followsPlainScalar(source.slice(0, position))
  )
    return goYamlLine((line ?? 0) + 1, tabText);
  if (position !== undefined && reason.startsWith('missed comma')) return missedComma(source, position, line ?? 0);
  const placed = position === undefined ? undefined : blockError(reason, source, position, line ?? 0);
  if (placed !== undefined) return placed;
  const scanned = scannerTexts.find(([pattern]) => pattern.test(reason));
  if (scanned !== undefined) return goYamlLine(line === undefined || line === 0 ? 0 : line + 1, scanned[1]);
  const parsed = parserTexts.find(([pattern]) => pattern.test(reason));
  if (parsed !== undefined) return goYamlLine(line ?? 0, parsed[1]);
  return line === undefined ? `yaml: ${reason}` : `yaml: line ${line + 1}: ${reason}`;
}

/**
 * The error for a tab before the first token; undefined if there is none. Our parser skips such a tab as white space,
 * go-yaml reads it as a token.
 */
export function leadingTab(source: string): YamlFault | undefined {
  const before = /^(?: *(?:#[^\n]*)?\r?\n)* *(?=\t)/.exec(source)?.[0];
  return before === undefined
    ? undefined
    : { reason: 'tab characters must not be used in indentation', line: before.split('\n').length - 1 };
}
