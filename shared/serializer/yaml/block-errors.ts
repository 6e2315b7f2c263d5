import { goYamlLine } from './line.ts';

const keyText = 'did not find expected key';
const indicatorText = "did not find expected '-' indicator";

/**
 * The error for an invalid block, where go-yaml's text depends on the source around the position; undefined for all
 * other errors.
 */
export function blockError(reason: string, source: string, position: number, line: number): string | undefined {
  const before = source.slice(0, position);
  if (reason.startsWith("expected ':' after a mapping key")) {
    return /[}\]]\s*$/.test(before)
      ? goYamlLine(line, keyText)
      : goYamlLine(nextTokenLine(source, position) + 1, "could not find expected ':'");
  }
  if (reason.startsWith('bad indentation of a mapping entry')) {
    if (beginsLine(before) && listOf(before)?.isIndentless === false && !/^[:?@`%-]/.test(source.slice(position)))
      return goYamlLine(line, indicatorText);
    const [text, byScanner] = misplaced(source, position);
    return goYamlLine(byScanner && line !== 0 ? line + 1 : line, text);
  }
  if (reason.startsWith('bad indentation of a sequence entry') && beginsLine(before))
    return goYamlLine(line, listOf(before)?.isIndentless === false ? indicatorText : keyText);
  if (!reason.startsWith('end of the stream or a document separator is expected')) return undefined;
  if (/^:(?:\s|$)/.test(source.slice(position)))
    return goYamlLine(line === 0 ? 0 : line + 1, 'mapping values are not allowed in this context');
  return beginsLine(before) && listOf(before)?.isIndentless === false ? goYamlLine(line, indicatorText) : undefined;
}

function beginsLine(before: string): boolean {
  return /(?:^|\n) *$/.test(before);
}

/**
 * The list whose entry precedes a line that is not part of the entry. A list is indentless where it is indented no
 * further than its key.
 */
function listOf(before: string): { readonly isIndentless: boolean } | undefined {
  const lines = before.split('\n').filter((text) => /^ *[^\s#]/.test(text));
  const column = (before.split('\n').at(-1) ?? '').length;
  const entry = lines.findLastIndex((text) => text.search(/\S/) <= column);
  const [, indentation, marks] = /^( *)(- *)/.exec(lines[entry] ?? '') ?? [];
  if (indentation === undefined || marks === undefined || indentation.length + marks.length <= column) return undefined;
  const parent = lines
    .slice(0, entry)
    .findLast((text) => text.search(/\S/) <= indentation.length && !/^ *-(?:\s|$)/.test(text));
  return { isIndentless: parent?.search(/\S/) === indentation.length };
}

/**
 * The line (from 0) of the next token after the line of a position: comments and blank lines are skipped, and the end
 * counts as a line of its own.
 */
function nextTokenLine(source: string, position: number): number {
  const end = source.indexOf('\n', position);
  const rest = end < 0 ? '' : source.slice(end + 1);
  const between = /^(?:[ \t]*(?:#[^\n]*)?\n)*/.exec(rest)?.[0] ?? '';
  const read = source.slice(0, source.length - rest.length + between.length);
  return read.split('\n').length - (read.endsWith('\n') ? 1 : 0);
}

/** The error for a token where an entry of a mapping is expected, by its first character. */
function misplaced(source: string, position: number): readonly [text: string, byScanner: boolean] {
  const here = source.slice(position);
  if (beginsLine(source.slice(0, position)) && /^[?-](?:\s|$)/.test(here)) return [keyText, false];
  if (/^-(?:\s|$)/.test(here)) return ['block sequence entries are not allowed in this context', true];
  if (/^\?(?:\s|$)/.test(here)) return ['mapping keys are not allowed in this context', true];
  if (/^[@`%]/.test(here)) return ['found character that cannot start any token', true];
  return here.startsWith(':') ||
    (!/["'\]}]\s*$/.test(source.slice(0, position)) && !/\n *$/.test(source.slice(0, position)))
    ? ['mapping values are not allowed in this context', true]
    : [keyText, false];
}
