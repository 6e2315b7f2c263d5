import { openBrackets } from './brackets.ts';
import { goYamlLine } from './line.ts';

/** The error for a token in brackets after an entry, where a comma or the closing bracket is expected. */
export function missedComma(source: string, position: number, line: number): string {
  const here = source.slice(position);
  const scanned = (text: string, at = line): string => goYamlLine(at === 0 ? 0 : at + 1, text);
  if (/^[@`%|>]/.test(here)) return scanned('found character that cannot start any token');
  if (/^!(?![\w!<])/.test(here)) return scanned('did not find expected whitespace or line break');
  if (/^[&*](?!\w)/.test(here)) return scanned('did not find expected alphabetic or numeric character');
  if (/^"(?:[^"\\]|\\[^])*$|^'(?:[^']|'')*$/.test(here))
    return scanned('found unexpected end of stream', source.split('\n').length - 1);
  return goYamlLine(line, expectedAfterEntry(source.slice(0, position)));
}

/**
 * The error for a text that ends within `{` or `[`: either the next entry is missing, or a comma or closing bracket
 * after an entry.
 */
export function openFlowText(source: string): string {
  if (/[[{,:]$/.test(source)) return 'did not find expected node content';
  return expectedAfterEntry(source);
}

/** The error for a text that ends inside brackets, after an entry. */
export function expectedAfterEntry(source: string): string {
  return `did not find expected ',' or '${openBrackets(source).at(-1) === '[' ? ']' : '}'}'`;
}

/**
 * The tokens of a document in brackets: quoted texts, comments, words, and colons that begin a word or follow another
 * colon.
 */
const flowToken =
  /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'|#[^\n]*|([^\s,[\]{}"'#:](?:[^,[\]{}\n:]|:(?=\S))*)|(?:[[{,]\s*:|:\s*:)()/g;

/**
 * The error for a document in brackets that go-yaml refuses and our reader accepts. In go-yaml, a colon between a word
 * and a character that is not blank is part of the word, and a colon that begins a word must follow a key.
 */
export function flowFault(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  for (const { 0: token, 1: word, 2: colon, index } of text.matchAll(flowToken)) {
    if (colon !== undefined) return 'yaml: did not find expected node content';
    if (word?.endsWith(':') === true && /^[[{]/.test(text.slice(index + token.length, index + token.length + 1)))
      return "yaml: did not find expected ',' or '}'";
  }
  return undefined;
}
