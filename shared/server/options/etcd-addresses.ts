import { canonicalEndpoint } from '#shared/storage/create/etcd-endpoint.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Errors in `--etcd-servers`. The reference refuses most of them only after a wait for the etcd, without the flag's
 * name.
 */
export function etcdAddressErrors(
  { etcdServers }: Pick<ServerOptions, 'etcdServers'>,
  given: ReadonlySet<keyof ServerOptions>,
): string[] {
  if (!given.has('etcdServers')) return [];
  const named = namedServers(etcdServers);
  if (named.length === 0)
    return ['--etcd-servers "" names no etcd (is a variable not set?): name one, or leave the flag out'];
  return named
    .filter((text) => canonicalEndpoint(text, false) === undefined)
    .map(
      (text) =>
        `--etcd-servers ${JSON.stringify(text)} is no address of an etcd: give scheme://host:port, such as http://127.0.0.1:2379`,
    );
}

/** The addresses without the empty ones that a comma at an end leaves. */
export function namedServers(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
