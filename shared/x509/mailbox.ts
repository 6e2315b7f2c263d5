import { isDomain } from './domain-names.ts';

export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

/**
 * A quoted local part. As in Go it may contain a blank, although the grammar forbids that; a tab only after a
 * backslash.
 */
const quoted = /^"((?:[^"\\\t]|\\[^])*)"@/;
const plain = /^((?:[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.]|\\[^])+)@/;
/** Characters that a quoted local part may not contain, even after a backslash. */
const neverQuoted = ['\0', '\n', '\r'];

/** A mail address as in certificates (RFC 2821 section 4.1.2), unquoted; undefined for an invalid address. */
export function readMailbox(text: string): Mailbox | undefined {
  const isQuoted = text.startsWith('"');
  const match = (isQuoted ? quoted : plain).exec(text);
  if (match === null) return undefined;
  const local = (match[1] ?? '').replace(/\\([^])/g, '$1');
  if (isQuoted && neverQuoted.some((character) => local.includes(character))) return undefined;
  if (!isQuoted && /^\.|\.\.|\.$/.test(local)) return undefined;
  const domain = text.slice(match[0].length);
  return isDomain(domain) ? { local, domain } : undefined;
}
