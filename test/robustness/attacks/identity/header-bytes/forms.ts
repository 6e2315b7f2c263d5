/** A text as it goes over the wire: one character for each byte. */
export interface Form {
  readonly name: string;
  readonly bytes: string;
}

function ofText(name: string, text: string): Form {
  return { name, bytes: Buffer.from(text, 'utf8').toString('latin1') };
}

/** Valid UTF-8, with the characters that readers tend to trim, fold or drop. */
const valid: readonly Form[] = [
  ofText('ASCII', 'jo'),
  ofText('two bytes', 'jürgen'),
  ofText('two bytes, composed', 'ju\u0308rgen'),
  ofText('three bytes', '你好'),
  ofText('four bytes', 'x😀y'),
  ofText('last byte A0', 'voilà'),
  ofText('no-break spaces around', '\u00a0jo\u00a0'),
  ofText('wide spaces around', '\u3000jo\u2028'),
  ofText('byte order mark', '\ufeffjo'),
  ofText('next line', 'a\u0085b'),
  ofText('soft hyphen', 'a\u00adb'),
  ofText('joiners', '👩‍💻'),
  ofText('private use', '\ue000'),
  ofText('not assigned', '\u0378'),
  ofText('no character', '\uffff'),
  ofText('U+FFFD itself', 'j\ufffdrgen'),
  ofText('letters with other lower case', 'İK'),
  ofText('comma', 'ä,ö'),
  ofText('quotes', 'ä"\\ö'),
  ofText('HTML', '<ä>&'),
  ofText('name of a node', 'system:node:jürgen'),
  ofText('name of a service account', 'system:serviceaccount:default:jürgen'),
  ofText('masters, nearly', 'system:másters'),
];

const invalid: readonly Form[] = [
  { name: 'Latin-1', bytes: 'j\xfcrgen' },
  { name: 'Latin-1, last byte A0', bytes: 'jo\xa0' },
  { name: 'continuation alone', bytes: '\x80' },
  { name: 'two continuations', bytes: 'a\x80\xbfb' },
  { name: 'two of three bytes', bytes: 'x\xe2\x82' },
  { name: 'three of four bytes', bytes: '\xf0\x9f\x98x' },
  { name: 'overlong slash', bytes: 'a\xc0\xafb' },
  { name: 'overlong slash of three bytes', bytes: '\xe0\x80\xaf' },
  { name: 'overlong NUL', bytes: '\xc0\x80' },
  { name: 'high surrogate', bytes: '\xed\xa0\x80' },
  { name: 'low surrogate', bytes: '\xed\xb0\x80' },
  { name: 'low surrogate that stands for a byte elsewhere', bytes: '\xed\xb3\xbf' },
  { name: 'surrogate pair', bytes: '\xed\xa0\xbd\xed\xb8\x80' },
  { name: 'beyond U+10FFFF', bytes: '\xf4\x90\x80\x80' },
  { name: 'five bytes', bytes: '\xf8\x88\x80\x80\x80' },
  { name: 'FE and FF', bytes: '\xfe\xff' },
  { name: 'valid and invalid', bytes: 'j\xc3\xbc\xffj' },
];

/** Field managers are counted in bytes. */
const long: readonly Form[] = [
  ofText('128 bytes', 'ü'.repeat(64)),
  ofText('129 bytes', 'aü'.repeat(43)),
  ofText('127 bytes and a character of two', `${'a'.repeat(127)}ü`),
  { name: '128 invalid bytes', bytes: '\xff'.repeat(128) },
  { name: '43 invalid bytes', bytes: '\xff'.repeat(43) },
];

/** What only a percent-encoded text can hold. */
const control: readonly Form[] = [
  { name: 'NUL', bytes: 'a\0b' },
  { name: 'line feed', bytes: 'a\nb' },
  { name: 'tab', bytes: 'a\tb' },
  { name: 'DEL', bytes: 'a\x7fb' },
  { name: 'nothing', bytes: '' },
  { name: 'space', bytes: ' a ' },
  { name: 'percent', bytes: 'a%b' },
  { name: 'upper case', bytes: 'AÄ' },
];

/** What a header's value can hold. */
export const headerForms: readonly Form[] = [...valid, ...invalid, ...long];
export const encodedForms: readonly Form[] = [...headerForms, ...control];

/** Every byte in its escaped form, so that no reader can take it for another. */
export function percentEncoded(bytes: string): string {
  return bytes.replace(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
