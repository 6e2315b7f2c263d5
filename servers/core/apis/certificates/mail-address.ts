const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const dotAtom = `${atom}(?:\\.${atom})*`;
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const address = `(?:${dotAtom}|${quoted})@(?:${dotAtom}|\\[[^\\[\\]\\\\\\s]+\\])`;
const word = `(?:${atom}|${quoted})`;
// Words have a blank between them, so that there is one way only to read a text.
const whole = new RegExp(`^[ \\t]*(?:${address}|(?:${word}(?:[ \\t]+${word})*[ \\t]*)?<${address}>)[ \\t]*$`);

/** An address as mails have it, by itself or behind a name (RFC 5322 without comments; net/mail ParseAddress). */
export function isMailAddress(text: string): boolean {
  return whole.test(text);
}
