import { isIP } from 'node:net';

/**
 * The address at which a backend accepts requests of gateways: a Unix socket of this machine, or a TCP port that
 * requires the front proxy's certificate.
 */
export type BackendAddress =
  | { readonly kind: 'unix'; readonly path: string }
  /** `host` is a name or an address without brackets. */
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/**
 * The name in every backend's certificate. It identifies the peer as a backend, not by its address, since addresses
 * change.
 */
export const backendServerName = 'backend.quarterdeck.internal';

/** Reads `unix:///path`, an absolute path, or `host:port` (`[::1]:7443` for IPv6). Undefined for anything else. */
export function parseBackendAddress(text: string): BackendAddress | undefined {
  const path = text.startsWith('unix://') ? text.slice('unix://'.length) : text;
  if (path.startsWith('/')) return { kind: 'unix', path };
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(text);
  if (match === null) return undefined;
  const [host, port] = [match[1] ?? match[2] ?? '', Number(match[3])];
  if (port > 65535 || (match[1] !== undefined && isIP(host) !== 6)) return undefined;
  return { kind: 'tcp', host, port };
}

/** The text that {@link parseBackendAddress} reads; equal for equal addresses. */
export function formatBackendAddress(address: BackendAddress): string {
  if (address.kind === 'unix') return `unix://${address.path}`;
  return address.host.includes(':') ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
}
