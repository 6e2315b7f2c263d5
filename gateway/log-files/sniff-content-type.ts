/* oxlint-disable no-control-regex -- the beginnings of binary files */

/** So many bytes of a file decide. */
export const sniffedBytes = 512;

const html = [
  ['!DOCTYPE HTML', 'HTML', 'HEAD', 'SCRIPT', 'IFRAME', 'H1', 'DIV', 'FONT', 'TABLE', 'A', 'STYLE', 'TITLE'],
  ['B', 'BODY', 'BR', 'P', '!--'],
].flat();
const htmlStart = new RegExp(`^[\\t\\n\\f\\r ]*<(?:${html.join('|')})[ >]`, 'i');
const xmlStart = /^[\t\n\f\r ]*<\?xml/;
const binary = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Files that begin so, one character per byte (https://mimesniff.spec.whatwg.org/ 6). */
const beginnings: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^%PDF-/, 'application/pdf'],
  [/^%!PS-Adobe-/, 'application/postscript'],
  [/^\xfe\xff../s, 'text/plain; charset=utf-16be'],
  [/^\xff\xfe../s, 'text/plain; charset=utf-16le'],
  [/^\xef\xbb\xbf./s, 'text/plain; charset=utf-8'],
  [/^\0\0[\x01\x02]\0/, 'image/x-icon'],
  [/^BM/, 'image/bmp'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBPVP/s, 'image/webp'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^FORM.{4}AIFF/s, 'audio/aiff'],
  [/^ID3/, 'audio/mpeg'],
  [/^OggS\0/, 'application/ogg'],
  [/^MThd\0\0\0\x06/, 'audio/midi'],
  [/^RIFF.{4}AVI /s, 'video/avi'],
  [/^RIFF.{4}WAVE/s, 'audio/wave'],
];

/** Those that come after the form of MP4. */
const furtherBeginnings: typeof beginnings = [
  [/^\x1a\x45\xdf\xa3/, 'video/webm'],
  [/^.{34}LP/s, 'application/vnd.ms-fontobject'],
  [/^\0\x01\0\0/, 'font/ttf'],
  [/^OTTO/, 'font/otf'],
  [/^ttcf/, 'font/collection'],
  [/^wOFF/, 'font/woff'],
  [/^wOF2/, 'font/woff2'],
  [/^\x1f\x8b\x08/, 'application/x-gzip'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^Rar!\x1a\x07(?:\0|\x01\0)/, 'application/x-rar-compressed'],
  [/^\0asm/, 'application/wasm'],
];

/** The media type of a file by its first {@link sniffedBytes} (Go's http.DetectContentType). */
export function sniffContentType(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  if (htmlStart.test(text)) return 'text/html; charset=utf-8';
  if (xmlStart.test(text)) return 'text/xml; charset=utf-8';
  const found = typeIn(beginnings, text) ?? (isMp4(bytes) ? 'video/mp4' : typeIn(furtherBeginnings, text));
  if (found !== undefined) return found;
  return binary.test(text) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}

function typeIn(table: typeof beginnings, text: string): string | undefined {
  return table.find(([beginning]) => beginning.test(text))?.[1];
}

/** Whether the box at the beginning names `mp4` as one of its brands; its version, behind the first, is none. */
function isMp4(bytes: Buffer): boolean {
  if (bytes.length < 12) return false;
  const size = bytes.readUInt32BE(0);
  if (bytes.length < size || size % 4 !== 0 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  for (let at = 8; at < size; at += 4) if (at !== 12 && bytes.toString('latin1', at, at + 3) === 'mp4') return true;
  return false;
}
