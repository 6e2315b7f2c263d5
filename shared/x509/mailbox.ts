import { isDomain } from './domain-names.ts';

export interface Mailbox {
  readonly local: string;
  readonly domain: string;
}

/** Text in quotes may hold a blank, against the grammar; a tab stands behind a backslash only. */
const quoted = /^"((?:[^"\\\t]|\\[^])*)"@/;
const plain = /^((?:[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.]|\\[^])+)@/;
/** What no text in quotes holds, behind a backslash or not. */
const neverQuoted = ['\0', '\n', '\r'];

/**
 * A mail address as certificates hold it (RFC 2821 section 4.1.2), without what quotes it; undefined for what is none.
 */
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
