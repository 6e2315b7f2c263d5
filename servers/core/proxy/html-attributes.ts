import { htmlEscapes } from '#shared/apimachinery/text/html-escapes.ts';

/** Attributes of elements that hold a URL (apimachinery/pkg/util/proxy/transport.go). */
const urlAttributes: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    a: ['href'],
    applet: ['codebase'],
    area: ['href'],
    audio: ['src'],
    base: ['href'],
    blockquote: ['cite'],
    body: ['background'],
    button: ['formaction'],
    command: ['icon'],
    del: ['cite'],
    embed: ['src'],
    form: ['action'],
    frame: ['longdesc', 'src'],
    head: ['profile'],
    html: ['manifest'],
    iframe: ['longdesc', 'src'],
    img: ['longdesc', 'src', 'usemap'],
    input: ['src', 'usemap', 'formaction'],
    ins: ['cite'],
    link: ['href'],
    object: ['classid', 'codebase', 'data', 'usemap'],
    q: ['cite'],
    script: ['src'],
    source: ['src'],
    video: ['poster', 'src'],
  }).map(([element, names]) => [element, new Set(names)]),
);

export function hasUrl(element: string, attribute: string): boolean {
  return urlAttributes.get(element)?.has(attribute) === true;
}

/** Marks the `&` of a character reference whose name is not decoded here; the reference is written back unchanged. */
export const keptAmpersand = '\uE000';

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    AMP: '&',
    lt: '<',
    LT: '<',
    gt: '>',
    GT: '>',
    quot: '"',
    QUOT: '"',
    apos: "'",
    nbsp: '\u00a0',
    copy: '\u00a9',
    reg: '\u00ae',
  }),
);
const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** The groups of a character reference: a hexadecimal or decimal number, or a name with its semicolon or a `=`. */
type AttributeReference = [
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
  semicolon: string,
  equals: string,
];

/** Decodes the value of an attribute. Texts have one character for each byte of UTF-8. */
export function readAttributeValue(written: string): string {
  const lines = written.includes('\r') ? written.replace(/\r\n?/g, '\n') : written;
  if (!lines.includes('&')) return lines;
  return lines.replace(
    /&(?:#(?:[xX]([0-9a-fA-F]+)|(\d+));?|([a-zA-Z0-9]+)(;?)(=?))/g,
    (all, ...[hex, decimal, name, semicolon, equals]: AttributeReference) => {
      if (name === undefined)
        return bytesOf(characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)));
      // `?a=1&copy=2` has no character reference. Without a semicolon, only the old names are references.
      if (semicolon === '' && equals !== '') return all;
      const known = named.get(name);
      if (known !== undefined && (semicolon !== '' || name !== 'apos')) return bytesOf(known) + equals;
      return semicolon === '' ? all : keptAmpersand + all.slice(1);
    },
  );
}

/** The value between quotes, as Go's html.EscapeString writes it. */
export function writeValue(value: string): string {
  if (!/[&<>"'\r\uE000]/.test(value)) return value;
  return value.replace(/[&<>"'\r\uE000]/g, (found) => escapes.get(found) ?? found);
}

const escapes: ReadonlyMap<string, string> = new Map([...htmlEscapes, ['\r', '&#13;'], [keptAmpersand, '&']]);

function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return windows1252.charAt(code - 0x80);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return String.fromCodePoint(code);
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
