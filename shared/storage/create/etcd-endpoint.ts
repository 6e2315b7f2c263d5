import { isIP } from 'node:net';

const unixForm = /^unix:(?:\/\/)?(.+)$/;
/** Scheme, user, authority, and what follows it. */
const addressForm = /^(?:(https?):\/\/)?(?:[^/?#@]*@)?([^/?#@]*)(?:[/?#].*)?$/i;
const authorityForm = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]*)):(\d{1,5})$/i;

/**
 * An address of an etcd as `http://host:port`, `https://host:port` or `unix:path`. It is read as the reference's client
 * does (etcd/client/v3/internal/endpoint): user, path and query are left aside, and `host:port` alone is of TLS if
 * `hasTls` (a certificate is given). So are blanks around it, which lists often have. Undefined for anything else.
 */
export function canonicalEndpoint(text: string, hasTls: boolean): string | undefined {
  const given = text.trim();
  const path = unixForm.exec(given)?.[1];
  if (path !== undefined) return `unix:${path}`;
  const [, scheme, authority = ''] = addressForm.exec(given) ?? [];
  // Without a scheme nothing else may stand beside host and port.
  if (scheme === undefined && authority !== given) return undefined;
  const [, v6, name = '', port] = authorityForm.exec(authority) ?? [];
  if (port === undefined || Number(port) > 65_535 || (v6 !== undefined && isIP(v6) !== 6)) return undefined;
  const host = v6 === undefined ? name.toLowerCase() || 'localhost' : `[${v6.toLowerCase()}]`;
  return `${(scheme ?? (hasTls ? 'https' : 'http')).toLowerCase()}://${host}:${Number(port)}`;
}
