import { isIP, isIPv6 } from 'node:net';
import { isDomain } from './domain-names.ts';

const schemePattern = /^([a-zA-Z][a-zA-Z0-9+\-.]*):/;
const brokenEscape = /%(?![0-9a-fA-F]{2})/;
const userPattern = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const hostPattern = /^[A-Za-z0-9!"$&'()*+,\-.:;<=>[\]_~%]*$/;
const portPattern = /^(?::[0-9]*)?$/;

/**
 * The host of an ASCII URI with its port; empty without a host, undefined if Go cannot parse the URI (net/url Parse).
 * The WHATWG rules are not used: a name must be parsed in the same way as by those who wrote the constraints.
 */
export function uriHost(text: string): string | undefined {
  const [before = '', ...fragment] = text.split('#');
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\0-\x1f\x7f]/.test(before) || brokenEscape.test(fragment.join('#')) || before.startsWith(':')) return undefined;
  const scheme = schemePattern.exec(before)?.[1] ?? '';
  const hierarchy = (scheme === '' ? before : before.slice(scheme.length + 1)).split('?', 1)[0] ?? '';
  if (!hierarchy.startsWith('/'))
    return scheme !== '' || !(hierarchy.split('/', 1)[0] ?? '').includes(':')
      ? pathOnly(scheme === '' ? hierarchy : '')
      : undefined;
  if (!hierarchy.startsWith('//') || (scheme === '' && hierarchy.startsWith('///'))) return pathOnly(hierarchy);
  const authority = hierarchy.slice(2).split('/', 1)[0] ?? '';
  if (pathOnly(hierarchy.slice(2 + authority.length)) === undefined) return undefined;
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(0, at));
  return userPattern.test(user) && !brokenEscape.test(user)
    ? readHost(scheme.toLowerCase(), authority.slice(at + 1))
    : undefined;
}

function pathOnly(path: string): '' | undefined {
  return brokenEscape.test(path) ? undefined : '';
}

function readHost(scheme: string, host: string): string | undefined {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0 || !hostPattern.test(host) || brokenEscape.test(host)) return undefined;
  if (bracket === 0) return readLiteral(host);
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0 && !portPattern.test(host.slice(colon))) return undefined;
  // Go accepts only escapes of `%` and of characters that no domain has, so only `%25` is left.
  if (/%(?!25)/.test(host)) return undefined;
  const read = host.replaceAll('%25', '%');
  return isDomain(read) ? read : undefined;
}

function readLiteral(host: string): string | undefined {
  const end = host.lastIndexOf(']');
  const [address = ''] = host.slice(1, Math.max(end, 1)).split('%25', 1);
  return end > 0 && isIPv6(address) && portPattern.test(host.slice(end + 1)) ? host.replaceAll('%25', '%') : undefined;
}

/** The domain to which constraints on URIs apply; undefined if the host is an address or empty. */
export function constrainedDomain(host: string): string | undefined {
  if (host === '') return undefined;
  const colon = host.lastIndexOf(':');
  const name = (colon >= 0 && !host.endsWith(']') ? host.slice(0, colon) : host).toLowerCase();
  return name.startsWith('[') || name.includes(':') || isIP(name) !== 0 ? undefined : name;
}
