import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';

/**
 * The address for connections to a node: the first address of the most preferred type that the node has (pkg/util/node,
 * GetPreferredNodeAddress). Throws a 500 that lists the node's addresses if there is none.
 */
export function nodeAddress(node: KubeObject, preferredTypes: readonly string[]): string {
  const addresses = objectsAt(node, 'status', 'addresses').map((entry) => ({
    type: stringAt(entry, 'type'),
    address: stringAt(entry, 'address'),
  }));
  for (const preferred of preferredTypes) {
    const found = addresses.find(({ type }) => type === preferred);
    if (found !== undefined) return found.address;
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
  throw new StatusError(failureStatus(500, '', `no preferred addresses found; known addresses: [${known}]`));
}

/** Host and port as one text; IPv6 addresses in brackets. */
export function joinHostPort(host: string, port: number | string): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
