import type { IncomingHeaders } from '#shared/request/exchange.ts';
import { parseHttpTime } from './http-time.ts';

/** `proceed` may have a Range header that counts. */
export type Precondition =
  | { readonly outcome: 'failed' | 'unmodified' }
  | { readonly outcome: 'proceed'; readonly range: string };

/**
 * What the conditions of a GET say of a file without an ETag that was modified then (seconds since 1970), in the order
 * of RFC 9110 13.2.2.
 */
export function checkPreconditions(headers: IncomingHeaders, modifiedSeconds: number): Precondition {
  const match = header(headers, 'if-match');
  if (match === '' ? !isUnmodifiedSince(headers, modifiedSeconds) : !namesAny(match)) return { outcome: 'failed' };
  const noneMatch = header(headers, 'if-none-match');
  if (noneMatch === '' ? !isModifiedSince(headers, modifiedSeconds) : namesAny(noneMatch))
    return { outcome: 'unmodified' };
  const range = header(headers, 'range');
  return { outcome: 'proceed', range: isOfSameFile(headers, modifiedSeconds) ? range : '' };
}

/** False where the client has what was modified then. */
export function isModifiedSince(headers: IncomingHeaders, modifiedSeconds: number): boolean {
  const since = parseHttpTime(header(headers, 'if-modified-since'));
  return modifiedSeconds === 0 || since === undefined || modifiedSeconds > since;
}

function isUnmodifiedSince(headers: IncomingHeaders, modifiedSeconds: number): boolean {
  const since = parseHttpTime(header(headers, 'if-unmodified-since'));
  return modifiedSeconds === 0 || since === undefined || modifiedSeconds <= since;
}

/** The condition of a Range header. Files have no ETag, so only their time can be named. */
function isOfSameFile(headers: IncomingHeaders, modifiedSeconds: number): boolean {
  const named = header(headers, 'if-range');
  return named === '' || parseHttpTime(named) === modifiedSeconds;
}

const tag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/;

/** Whether a list of ETags has a `*` before its first malformed member: no other member names a file. */
function namesAny(list: string): boolean {
  for (let rest = trimmed(list); rest !== ''; rest = trimmed(rest)) {
    if (rest.startsWith('*')) return true;
    const length = rest.startsWith(',') ? 1 : (tag.exec(rest)?.[0].length ?? 0);
    if (length === 0) return false;
    rest = rest.slice(length);
  }
  return false;
}

function trimmed(text: string): string {
  return text.replace(/^[ \t]+/, '');
}

type ConditionName = 'range' | `if-${'match' | 'none-match' | 'range' | 'modified-since' | 'unmodified-since'}`;

/** The first value of a header; empty if it is absent. */
function header(headers: IncomingHeaders, name: ConditionName): string {
  const value = headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}
