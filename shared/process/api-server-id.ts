import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';

/**
 * The server's id, `apiserver-…`. It stays the same over restarts on one host (apiserver/pkg/server/config.go);
 * `instance` distinguishes gateways of one host.
 */
export function apiServerId(hostname: string, instance = 1): string {
  const name = instance === 1 ? hostname : `${hostname}/${instance}`;
  const hash = createHash('sha256')
    .update(lengthPrefixed(name))
    .update(lengthPrefixed('kube-apiserver'))
    .digest()
    .subarray(0, 16);
  return `apiserver-${base32(hash)}`;
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

/** Base32 of RFC 4648, in lower case and without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)] ?? '')
    .join('');
}
