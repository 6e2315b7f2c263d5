import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { decodePathBytes, encodePathBytes } from '#shared/request/request-path.ts';

/**
 * The parts of a URL as in Go's net/url, with one character for each byte. The path is decoded; `rawPath` is its
 * original text if Go would encode the path differently.
 */
export interface GoUrl {
  scheme: string;
  /** The part after the scheme if it is not a path: `mailto:<opaque>`. */
  opaque: string;
  /** The user info as written, with the `@` behind it; empty if there is none. */
  user: string;
  host: string;
  path: string;
  rawPath: string;
  /** The query with its `?`; empty if there is none. */
  query: string;
  /** The fragment with its `#`; empty if there is none. */
  fragment: string;
}

const brokenEscape = /%(?![0-9a-fA-F]{2}).{0,2}/s;
const portPattern = /^(?:|[^:]*|\[[^\]]*\])(?::\d*)?$/;
const escapedInFragment = /[^A-Za-z0-9\-._~!$&'()*+,;=:@[\]/?%#]/g;
/** An encoded path with only characters that Go accepts in one (net/url, validEncoded). */
const validPath = /^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]/%]*$/;

/** Go's error for a text that is not a URL (net/url). */
export class GoUrlError extends Error {
  override readonly name = 'GoUrlError';
  constructor(text: string, reason: string) {
    super(`parse ${goQuote(text)}: ${reason}`);
  }
}

/**
 * Parses a URL like Go's url.Parse.
 * @throws GoUrlError for a text that url.Parse refuses
 */
export function parseGoUrl(text: string): GoUrl {
  const refuse = (reason: string): never => {
    throw new GoUrlError(text, reason);
  };
  const mark = text.indexOf('#');
  const fragment = mark < 0 ? '' : text.slice(mark);
  let rest = mark < 0 ? text : text.slice(0, mark);
  // eslint-disable-next-line no-control-regex -- the expression is meant to find control characters
  if (/[\0-\x1f\x7f]/.test(rest)) return refuse('net/url: invalid control character in URL');
  if (rest.startsWith(':')) return refuse('missing protocol scheme');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+\-.]*):/.exec(rest)?.[1] ?? '';
  if (scheme !== '') rest = rest.slice(scheme.length + 1);
  const asked = rest.indexOf('?');
  const query = asked < 0 ? '' : rest.slice(asked);
  if (asked >= 0) rest = rest.slice(0, asked);
  const url: GoUrl = {
    scheme: scheme.toLowerCase(),
    opaque: '',
    user: '',
    host: '',
    path: '',
    rawPath: '',
    query,
    fragment:
      fragment === '#'
        ? ''
        : fragment.replace(
            escapedInFragment,
            (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
          ),
  };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if ((rest.split('/', 1)[0] ?? '').includes(':')) return refuse('first path segment in URL cannot contain colon');
  }
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const authority = rest.slice(2).split('/', 1)[0] ?? '';
    const wrong = readAuthority(url, authority);
    if (wrong !== undefined) return refuse(wrong);
    rest = rest.slice(2 + authority.length);
  }
  const escape = brokenEscape.exec(rest) ?? brokenEscape.exec(fragment);
  return escape === null ? withPath(url, rest) : refuse(`invalid URL escape ${goQuote(escape[0])}`);
}

/** Parses the authority into `url`. Returns an error message if it is invalid. */
function readAuthority(url: GoUrl, authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  url.user = authority.slice(0, at + 1);
  url.host = authority.slice(at + 1);
  const odd = /[\s<>\\^`{|}%]/.exec(url.host);
  if (odd !== null) return `invalid character ${goQuote(odd[0])} in host name`;
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(url.user)) return 'net/url: invalid userinfo';
  const port = /:[^:\]]*$/.exec(url.host)?.[0] ?? '';
  return portPattern.test(url.host) ? undefined : `invalid port ${goQuote(port)} after host`;
}

function withPath(url: GoUrl, spelling: string): GoUrl {
  const path = decodePathBytes(spelling);
  return { ...url, path, rawPath: encodePathBytes(path) === spelling ? '' : spelling };
}

/** The text of a URL, as from Go's URL.String. */
export function formatGoUrl(url: GoUrl): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') return scheme + url.opaque + url.query + url.fragment;
  const path = escapedPath(url);
  const named = url.host !== '' || url.user !== '';
  const authority = named || (scheme !== '' && path !== '' && !path.startsWith('/')) ? `//${url.user}${url.host}` : '';
  const joint = path !== '' && !path.startsWith('/') && url.host !== '' ? '/' : '';
  // A colon in the first segment would be read as the end of a scheme.
  const dot =
    scheme === '' && authority === '' && joint === '' && (path.split('/', 1)[0] ?? '').includes(':') ? './' : '';
  return scheme + authority + joint + dot + path + url.query + url.fragment;
}

function escapedPath({ path, rawPath }: GoUrl): string {
  return rawPath !== '' && validPath.test(rawPath) && decodePathBytes(rawPath) === path
    ? rawPath
    : encodePathBytes(path);
}
