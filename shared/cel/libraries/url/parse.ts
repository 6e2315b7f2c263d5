import { Buffer } from 'node:buffer';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { AddressError, parseAddress } from '#shared/cel/libraries/net/address.ts';
import { allowedBytes, chunk, escape, isWholly, percent } from './escape.ts';

/** A URL as Go's net/url parses it. Parts are unescaped bytes (latin1), except where noted. */
export interface Url {
  readonly scheme: string;
  /** The rest of a URL that has no `/` after its scheme, still escaped. */
  readonly opaque: string;
  readonly user: { readonly name: string; readonly password: string | undefined } | undefined;
  readonly host: string;
  /** The path as written, still escaped. */
  readonly rawPath: string;
  readonly path: string;
  /** The query as written, still escaped; undefined without a `?`. */
  readonly query: string | undefined;
  /** The fragment as written, still escaped. */
  readonly rawFragment: string;
}

/** Thrown if a text is no URL; the message is Go's. */
export class UrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UrlError';
  }
}

/** The characters that are not escaped in each part; in hosts also all bytes beyond ASCII. */
const inHost = /[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"]/;
const inPath = /[A-Za-z0-9\-._~$&+,/:;=@]/;
const inFragment = /[A-Za-z0-9\-._~$&+,/:;=?@!()*]/;
const inUser = /[A-Za-z0-9\-._~$&+,;=]/;
const pathAsItStands = /^[A-Za-z0-9\-._~$&+,/:;=@!'()*[\]%]*$/;
const fragmentAsItStands = /^[A-Za-z0-9\-._~$&+,/:;=?@!'()*[\]%]*$/;
const userInfo = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
// oxlint-disable-next-line no-control-regex -- this pattern searches for control characters
const control = /[\u0000-\u001f\u007f]/;

const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
export const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/**
 * Parses a URL with a scheme or an absolute path (ParseRequestURI), then parses it again with its fragment. @throws
 * UrlError
 */
export function* parseUrl(text: string): Steps<Url> {
  yield* checkRequestUri(text);
  return yield* parseReference(text);
}

/** Parses a URL, absolute or relative, with its fragment (Go's url.Parse). @throws UrlError */
export function* parseReference(text: string): Steps<Url> {
  const [before, rawFragment = ''] = cut(toBytes(text), '#');
  if (sliceIsOver()) yield;
  const url = yield* guarded(fromBytes(before), read(before, false));
  yield* guarded(text, unescape(rawFragment, 'fragment'));
  return { ...url, rawFragment };
}

/** @throws UrlError if a text is no valid request URI */
export function* checkRequestUri(text: string): Steps<void> {
  yield* guarded(text, read(toBytes(text), true));
}

function* guarded<T>(text: string, reading: Steps<T>): Steps<T> {
  try {
    return yield* reading;
  } catch (error) {
    if (error instanceof UrlError) throw new UrlError(`parse ${goQuote(text)}: ${error.message}`);
    throw error;
  }
}

function* read(text: string, ofRequest: boolean): Steps<Url> {
  const nothing: Url = {
    scheme: '',
    opaque: '',
    user: undefined,
    host: '',
    rawPath: '',
    path: '',
    query: undefined,
    rawFragment: '',
  };
  if (control.test(text)) throw new UrlError('net/url: invalid control character in URL');
  if (sliceIsOver()) yield;
  if (text === '' && ofRequest) throw new UrlError('empty url');
  if (text === '*') return { ...nothing, rawPath: '*', path: '*' };
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  const written = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const scheme = written.toLowerCase();
  const [rest, query] = cut(written === '' ? text : text.slice(written.length + 1), '?');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...nothing, scheme, opaque: rest, query };
    if (ofRequest) throw new UrlError('invalid URI for request');
    if (cut(rest, '/')[0].includes(':')) throw new UrlError('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!ofRequest && !rest.startsWith('///')));
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0;
  const rawPath = slash < 0 ? '' : rest.slice(slash);
  const authority = hasAuthority
    ? yield* readAuthority(scheme, rest.slice(2, slash < 0 ? undefined : slash))
    : { user: undefined, host: '' };
  const path = yield* unescape(rawPath, 'path');
  return { ...nothing, scheme, ...authority, rawPath, path, query };
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function* readAuthority(scheme: string, authority: string): Steps<Pick<Url, 'user' | 'host'>> {
  const at = authority.lastIndexOf('@');
  const host = yield* readHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const info = authority.slice(0, at);
  if (!userInfo.test(info)) throw new UrlError('net/url: invalid userinfo');
  const [name, password] = cut(info, ':');
  return {
    user: {
      name: yield* unescape(name, 'user'),
      password: password === undefined ? undefined : yield* unescape(password, 'user'),
    },
    host,
  };
}

function* readHost(scheme: string, host: string): Steps<string> {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new UrlError('invalid IP-literal');
  if (bracket === 0) return yield* readLiteral(host);
  // Other schemes may have lists of hosts with ports.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return yield* unescape(host, 'host');
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new UrlError(`invalid port ${goQuote(fromBytes(port))} after host`);
}

function* readLiteral(host: string): Steps<string> {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  checkPort(host.slice(close + 1));
  const written = host.slice(1, close);
  const zone = written.indexOf('%25');
  const name =
    zone < 0
      ? yield* unescape(written, 'host')
      : (yield* unescape(written.slice(0, zone), 'host')) + (yield* unescape(written.slice(zone), 'zone'));
  try {
    if (parseAddress(fromBytes(name)).bytes.length === 4) throw new UrlError('invalid IP-literal');
  } catch (error) {
    if (error instanceof AddressError) throw new UrlError(`invalid host: ${error.message}`);
    throw error;
  }
  return `[${name}]${host.slice(close + 1)}`;
}

type Part = 'path' | 'fragment' | 'user' | 'host' | 'zone' | 'query';

/** Resolves the escapes of a part. @throws UrlError */
function* unescape(text: string, part: Part): Steps<string> {
  if (part === 'host' || part === 'zone') yield* checkHost(text, part);
  return yield* resolveEscapes(part === 'query' ? text.replaceAll('+', ' ') : text);
}

function* checkHost(text: string, part: 'host' | 'zone'): Steps<void> {
  const stands = allowedBytes(inHost);
  for (let at = 0; at < text.length; at++) {
    const byte = text.charCodeAt(at);
    if (byte === percent) {
      checkEscapeOfHost(text, at, part);
      at += 2;
    } else if (byte < 0x80 && stands[byte] !== 1)
      throw new UrlError(`invalid character ${goQuote(text.charAt(at))} in host name`);
    if (at % chunk === 0 && sliceIsOver()) yield;
  }
}

function checkEscapeOfHost(text: string, at: number, part: 'host' | 'zone'): void {
  const value = escapedByte(text.charCodeAt(at + 1), text.charCodeAt(at + 2));
  const escape = text.slice(at, at + 3);
  const isAllowed =
    escape === '%25' || (part === 'host' ? value >= 0x80 : value === 0x20 || inHost.test(String.fromCharCode(value)));
  if (value < 0 || !isAllowed) throw new UrlError(`invalid URL escape ${goQuote(fromBytes(escape))}`);
}

/** Works byte by byte, as a text of megabytes may consist of escapes only. @throws UrlError */
function* resolveEscapes(text: string): Steps<string> {
  if (!text.includes('%')) return text;
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0, end = chunk; at < bytes.length; end += chunk) {
    for (; at < end && at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte !== percent) {
        bytes[length++] = byte;
        continue;
      }
      const value = escapedByte(bytes[at + 1], bytes[at + 2]);
      if (value < 0) throw new UrlError(`invalid URL escape ${goQuote(fromBytes(text.slice(at, at + 3)))}`);
      bytes[length++] = value;
      at += 2;
    }
    if (sliceIsOver()) yield;
  }
  return bytes.toString('latin1', 0, length);
}

/** The byte of two hexadecimal digits; negative if one of them is no digit. */
function escapedByte(high: number | undefined, low: number | undefined): number {
  return (valueOfDigit(high) << 4) | valueOfDigit(low);
}

/** The value of a hexadecimal digit; -1 if the character is none. */
function valueOfDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

export function* escapedPath({ rawPath, path }: Url): Steps<string> {
  if (yield* isWholly(rawPath, pathAsItStands)) return rawPath;
  return path === '*' ? path : yield* escape(path, inPath);
}

/** Host and port, without the brackets of an address. */
export function hostAndPort({ host }: Url): [host: string, port: string] {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && /^:[0-9]*$/.test(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  return [name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name, hasPort ? host.slice(colon + 1) : ''];
}

/** A query with more parameters is treated as empty, as in Go. */
const maxParameters = 10_000;

/** The parameters of the query in order, without those that are malformed. */
export function* queryOf({ query = '' }: Url): Steps<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const parts = query.split('&', maxParameters + 1);
  if (parts.length > maxParameters) return found;
  for (const part of parts) {
    if (part === '' || part.includes(';')) continue;
    const [key, value = ''] = cut(part, '=');
    const read = yield* parameter(key, value);
    if (read === undefined) continue;
    const values = found.get(read[0]);
    if (values === undefined) found.set(read[0], [read[1]]);
    else values.push(read[1]);
    if (sliceIsOver()) yield;
  }
  return found;
}

function* parameter(key: string, value: string): Steps<[string, string] | undefined> {
  try {
    return [fromBytes(yield* unescape(key, 'query')), fromBytes(yield* unescape(value, 'query'))];
  } catch (error) {
    if (error instanceof UrlError) return undefined;
    throw error;
  }
}

/** Prints the URL (latin1); two URLs are equal if their printed texts are. */
export function* printUrl(url: Url): Steps<string> {
  const { scheme, opaque, user, host, query, rawFragment } = url;
  const path = yield* escapedPath(url);
  const credentials =
    user === undefined
      ? ''
      : `${yield* escape(user.name, inUser)}${user.password === undefined ? '' : `:${yield* escape(user.password, inUser)}`}@`;
  const authority = host !== '' || user !== undefined ? `//${credentials}${yield* escape(host, inHost)}` : '';
  const fragment = (yield* isWholly(rawFragment, fragmentAsItStands))
    ? rawFragment
    : yield* escape(yield* unescape(rawFragment, 'fragment'), inFragment);
  return `${scheme === '' ? '' : `${scheme}:`}${opaque === '' ? authority + path : opaque}${query === undefined ? '' : `?${query}`}${fragment === '' ? '' : `#${fragment}`}`;
}
