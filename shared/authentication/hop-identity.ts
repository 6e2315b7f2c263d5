import { LRUCache } from 'lru-cache';
import { listUnder } from '#shared/apimachinery/json/json.ts';
import { bytesOfText, textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { escapeHeaderKey } from '#shared/request/header-values.ts';
import { decodePath } from '#shared/request/request-path.ts';
import { apiServerUser, type UserInfo } from '#shared/request/user.ts';

/** The user of a request, as the gateway passes it to a backend. */
export interface HopIdentity {
  readonly user: UserInfo;
  readonly impersonator?: UserInfo;
}

/** The user as which the servers authenticate to each other. */
export const ownIdentity: HopIdentity = Object.freeze({ user: apiServerUser });

/** Equal headers give the same objects: authorizers key their caches by the user object. */
const known = new LRUCache<string, HopIdentity>({ max: 5000 });
/** The same by the headers that requests share, which hold the whole identity. */
const byShared = new WeakMap<readonly string[], HopIdentity>();

const impersonatorHeader = 'x-quarterdeck-impersonator';
const userHeader = 'x-quarterdeck-user';

/**
 * The identity headers of the internal hop, names and values in turn, ready for a raw header list. Any identity can be
 * encoded, and no two identities have the same headers.
 */
export function encodeIdentity(user: UserInfo, impersonator?: UserInfo): string[] {
  const headers = isPlain(user) ? remoteIdentity(user) : [userHeader, encodeWhole(user)];
  if (impersonator !== undefined) headers.push(impersonatorHeader, encodeWhole(impersonator));
  return headers;
}

/**
 * The identity as headers for registered servers. Values that a header cannot hold are refused by the code that sends
 * the headers.
 */
export function remoteIdentity(user: UserInfo): string[] {
  const headers = ['X-Remote-User', bytesOfText(user.name)];
  if (user.uid !== '') headers.push('X-Remote-Uid', bytesOfText(user.uid));
  for (const group of user.groups) headers.push('X-Remote-Group', bytesOfText(group));
  for (const [key, values] of Object.entries(user.extra)) {
    for (const value of values) headers.push(`X-Remote-Extra-${escapeHeaderKey(key)}`, bytesOfText(value));
  }
  return headers;
}

/**
 * Whether plain headers can carry the user unchanged: line breaks would end a header, blanks around a value are
 * dropped, and names of headers, which hold the keys of extra, have no case.
 */
function isPlain({ name, uid, groups, extra }: UserInfo): boolean {
  const values = Object.values(extra);
  const keys = Object.keys(extra);
  return (
    name !== '' &&
    !keys.some((key) => /[A-Z]/.test(key)) &&
    values.every(({ length }) => length > 0) &&
    [name, uid, ...groups, ...keys, ...values.flat()].every((text) => /^(?! )[ -~]*(?<! )$/.test(text))
  );
}

function encodeWhole({ name, uid, groups, extra }: UserInfo): string {
  return encodeURIComponent(JSON.stringify({ name, uid, groups, extra } satisfies UserInfo));
}

function decodeWhole(value: string): UserInfo {
  return JSON.parse(decodeURIComponent(value)) as UserInfo;
}

/** Reads what {@link encodeIdentity} wrote; undefined without a user. Call it for trusted exchanges only. */
export function decodeIdentity(exchange: Exchange): HopIdentity | undefined {
  const shared = exchange.sharedHeaders;
  if (shared === undefined) return identityOf(exchange.rawHeaders ?? flatten(exchange.headers));
  let identity = byShared.get(shared);
  if (identity === undefined && (identity = identityOf(shared)) !== undefined) byShared.set(shared, identity);
  return identity;
}

function identityOf(raw: readonly string[]): HopIdentity | undefined {
  let key = '';
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    // The lengths come first, since a user name may hold any character.
    if (isIdentityName(name)) key += `${name.length}:${value.length}:${name}${value}`;
  }
  if (key === '') return undefined;
  const present = known.get(key);
  if (present) return present;
  const identity = readIdentity(raw);
  if (identity) known.set(key, identity);
  return identity;
}

/**
 * True for headers that only the gateway may set; it drops such headers from requests of clients. `name` in any case.
 */
export function isHopHeader(name: string): boolean {
  const first = name.charCodeAt(0) | 0x20;
  if (first !== 0x78 && first !== 0x69 && first !== 0x61) return false;
  const lower = name.toLowerCase();
  return (
    lower.startsWith('x-remote-') ||
    lower.startsWith('x-quarterdeck-') ||
    lower.startsWith('impersonate-') ||
    lower === 'authorization'
  );
}

function isIdentityName(name: string): boolean {
  if (name.length < 12 || name.charCodeAt(1) !== 0x2d) return false;
  const lower = name.toLowerCase();
  return lower.startsWith('x-remote-') || lower === impersonatorHeader || lower === userHeader;
}

function readIdentity(pairs: readonly string[]): HopIdentity | undefined {
  let name = '';
  let uid = '';
  let user: UserInfo | undefined;
  let impersonator: UserInfo | undefined;
  const groups: string[] = [];
  const extra: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const header = (pairs[at] ?? '').toLowerCase();
    const value = textOfBytes(pairs[at + 1] ?? '');
    if (header === 'x-remote-user') name = value;
    else if (header === 'x-remote-uid') uid = value;
    else if (header === 'x-remote-group') groups.push(value);
    else if (header === userHeader) user = decodeWhole(value);
    else if (header === impersonatorHeader) impersonator = decodeWhole(value);
    else if (header.startsWith('x-remote-extra-')) listUnder(extra, decodePath(header.slice(15))).push(value);
  }
  if (user === undefined && name === '') return undefined;
  return { user: user ?? { name, uid, groups, extra }, ...(impersonator === undefined ? {} : { impersonator }) };
}

function flatten(headers: Exchange['headers']): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [name, value] : (value ?? []).flatMap((one) => [name, one]),
  );
}
