import type { RequestContext } from '#shared/request/request-context.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** Lines that were made for the headers of a request. */
interface Remembered {
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string;
  readonly lines: string;
}

/** Clients have few sets of headers: for reads, for each form of writes, for watches. */
const mostRemembered = 4;
/** Longer ones are rare, and would be kept for as long as the user is known. */
const mostCharacters = 4_096;
const mostHeaders = 32;

/** Authentication hands out the same object for the same user while it remembers a credential. */
const byUser = new WeakMap<UserInfo, Remembered[]>();

/**
 * The header lines that a user's request has in common with earlier ones, made only where an earlier one had other
 * headers. The same text for the same headers also spares joining it again for each write.
 */
export function rememberedLines(context: RequestContext, make: (context: RequestContext) => string): string {
  const { user, impersonator } = context;
  const { rawHeaders, remoteAddress } = context.exchange;
  if (rawHeaders === undefined || impersonator !== undefined || rawHeaders.length > 2 * mostHeaders)
    return make(context);
  const known = byUser.get(user);
  if (known !== undefined) {
    for (const one of known)
      if (one.remoteAddress === remoteAddress && areAlike(one.rawHeaders, rawHeaders)) return one.lines;
  }
  const lines = make(context);
  if (lines.length > mostCharacters || charactersOf(rawHeaders) > mostCharacters) return lines;
  const remembered = { rawHeaders, remoteAddress, lines };
  if (known === undefined) byUser.set(user, [remembered]);
  else if (known.unshift(remembered) > mostRemembered) known.pop();
  return lines;
}

function charactersOf(texts: readonly string[]): number {
  let characters = 0;
  for (const { length } of texts) characters += length;
  return characters;
}

/** Whether both lists of names and values are the same but for what no shared line holds. */
function areAlike(one: readonly string[], other: readonly string[]): boolean {
  let at = nextShared(one, 0);
  let there = nextShared(other, 0);
  while (at < one.length && there < other.length) {
    if (one[at] !== other[there] || one[at + 1] !== other[there + 1]) return false;
    at = nextShared(one, at + 2);
    there = nextShared(other, there + 2);
  }
  return at >= one.length && there >= other.length;
}

/** The next header that is neither a pseudo header of HTTP/2 nor the length of a body. */
function nextShared(rawHeaders: readonly string[], from: number): number {
  let at = from;
  while (at < rawHeaders.length && isOfOneRequest(rawHeaders[at] as string)) at += 2;
  return at;
}

function isOfOneRequest(name: string): boolean {
  return name.charCodeAt(0) === 0x3a || name === 'content-length';
}
