import { isIPv6 } from 'node:net';

// oxlint-disable-next-line no-control-regex -- this pattern searches for control characters
const control = /[\u0000-\u001f\u007f]/;
const wrongEscape = /%(?![0-9a-fA-F]{2})/;
const userInfo = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
/** In a host only bytes beyond ASCII may be escaped. */
const hostText = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}]|%[89a-fA-F][0-9a-fA-F])*$/u;
const port = /^(?::[0-9]*)?$/;

/** Whether Go's net/url accepts a text as a request target: an absolute path, or a URI with a scheme. */
export function isRequestUri(text: string): boolean {
  if (text === '' || control.test(text)) return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const [rest = ''] = text.slice(scheme === '' ? 0 : scheme.length + 1).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !wrongEscape.test(rest);
  const [authority = ''] = rest.slice(2).split('/', 1);
  return isAuthority(scheme.toLowerCase(), authority) && !wrongEscape.test(rest.slice(2 + authority.length));
}

function isAuthority(scheme: string, authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? '' : authority.slice(0, at);
  return userInfo.test(user) && !wrongEscape.test(user) && isHost(scheme, authority.slice(at + 1));
}

function isHost(scheme: string, host: string): boolean {
  const open = host.lastIndexOf('[');
  if (open > 0) return false;
  if (open === 0) return isAddressInBrackets(host);
  // Other schemes may have lists of hosts with ports.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  return (colon < 0 || port.test(host.slice(colon))) && hostText.test(host);
}

function isAddressInBrackets(host: string): boolean {
  const close = host.lastIndexOf(']');
  if (close < 0 || !port.test(host.slice(close + 1))) return false;
  const [address = '', zone] = host.slice(1, close).split(/%25(.*)/s, 2);
  if (zone !== undefined && (zone === '' || wrongEscape.test(zone))) return false;
  return hostText.test(address) && isIPv6(address);
}
