import { openBrackets } from './brackets.ts';
import { goYamlLine } from './line.ts';

/** What stands in brackets behind an entry, where a comma or the other bracket is expected. */
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

/** What is missing at the end of an open `{` or `[`: its next entry, or what follows one. */
export function openFlowText(source: string): string {
  if (/[[{,:]$/.test(source)) return 'did not find expected node content';
  return expectedAfterEntry(source);
}

/** The error for a text that ends inside brackets, after an entry. */
export function expectedAfterEntry(source: string): string {
  return `did not find expected ',' or '${openBrackets(source).at(-1) === '[' ? ']' : '}'}'`;
}

/**
 * What a document in brackets is made of: texts in quotation marks, comments, words, and colons that begin a word or
 * follow another.
 */
const flowToken =
  /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'|#[^\n]*|([^\s,[\]{}"'#:](?:[^,[\]{}\n:]|:(?=\S))*)|(?:[[{,]\s*:|:\s*:)()/g;

/**
 * What go-yaml does not take in a document in brackets and our reader does: there a colon between a word and what is
 * not blank is a part of the word, and one that begins a word follows a key.
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
