/** A start or end tag in a text. */
export interface HtmlTag {
  /** The tag name in lower case. */
  readonly name: string;
  /** Names in lower case, values as they were written. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly closesItself: boolean;
  /** The offset after the tag. */
  readonly end: number;
}

const blank = ' \n\r\t\f';

/**
 * Reads a tag whose name begins at `start`, by the rules of golang.org/x/net/html. Undefined if the text ends before
 * the tag does.
 */
export function readTag(text: string, start: number): HtmlTag | undefined {
  const attributes: [string, string][] = [];
  let slashIsValue = false;
  let at = skipTo(text, start, `${blank}/>`);
  const name = text.slice(start, at).toLowerCase();
  at = skipBlanks(text, at);
  while (at < text.length && text[at] !== '>') {
    const key = at;
    // An equals sign in front is part of the name.
    at = skipTo(text, text[at] === '=' ? at + 1 : at, `${blank}/>=`);
    const attribute = text.slice(key, at).toLowerCase();
    const value = readValueAt(text, at);
    at = value.end;
    if (attribute !== '') attributes.push([attribute, value.text]);
    // A slash at the end of a value without quotes belongs to the value.
    slashIsValue = value.text.endsWith('/') && text[at - 1] === '/';
    at = skipBlanks(text, at);
  }
  if (at >= text.length) return undefined;
  return { name, attributes, closesItself: text[at - 1] === '/' && !slashIsValue, end: at + 1 };
}

function readValueAt(text: string, start: number): { readonly text: string; readonly end: number } {
  let at = skipBlanks(text, start);
  if (text[at] === '/') return { text: '', end: at + 1 };
  if (text[at] !== '=') return { text: '', end: at };
  at = skipBlanks(text, at + 1);
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, at + 1);
    return close < 0
      ? { text: text.slice(at + 1), end: text.length }
      : { text: text.slice(at + 1, close), end: close + 1 };
  }
  const end = skipTo(text, at, `${blank}>`);
  return { text: text.slice(at, end), end };
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && blank.includes(text.charAt(at))) at++;
  return at;
}

function skipTo(text: string, start: number, stops: string): number {
  let at = start;
  while (at < text.length && !stops.includes(text.charAt(at))) at++;
  return at;
}
