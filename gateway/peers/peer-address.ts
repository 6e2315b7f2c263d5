import { advertisedAddress } from '#shared/server/options/advertised-address.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/** Where other API servers reach this one. */
export interface PeerAddress {
  readonly ip: string;
  readonly port: number;
}

/**
 * That of `--peer-advertise-ip` and `--peer-advertise-port` where both are given, otherwise the address for clients;
 * undefined if this machine has none.
 */
export function peerAddress(options: ServerOptions): PeerAddress | undefined {
  const { peerAdvertiseIp, peerAdvertisePort, securePort } = options;
  if (peerAdvertiseIp !== '' && peerAdvertisePort !== '')
    return { ip: peerAdvertiseIp, port: Number(peerAdvertisePort) };
  const ip = advertisedAddress(options);
  return ip === undefined ? undefined : { ip, port: securePort };
}

/** `host:port`, IPv6 addresses in brackets. */
export function peerHostPort({ ip, port }: PeerAddress): string {
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
}
