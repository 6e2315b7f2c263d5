const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const dotAtom = `${atom}(?:\\.${atom})*`;
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const address = `(?:${dotAtom}|${quoted})@(?:${dotAtom}|\\[[^\\[\\]\\\\\\s]+\\])`;
const word = `(?:${atom}|${quoted})`;
// Words need a blank between them, so the expression matches a text in one way only and does not backtrack.
const whole = new RegExp(`^[ \\t]*(?:${address}|(?:${word}(?:[ \\t]+${word})*[ \\t]*)?<${address}>)[ \\t]*$`);

/** Whether a text is an e-mail address, alone or after a name (RFC 5322 without comments; net/mail ParseAddress). */
export function isMailAddress(text: string): boolean {
  return whole.test(text);
}
