/** Where a collector listens: a TCP address, or the path of a Unix socket (`@` begins an abstract name). */
export type CollectorTarget =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string };

const defaultPort = 443;

/**
 * The address that a target of gRPC names (grpc/doc/naming.md); the configuration was validated before. The name server
 * that a `dns` target may name is not asked: names are resolved as everywhere in this process.
 */
export function collectorTarget(endpoint: string): CollectorTarget {
  const [, scheme = 'dns', authority = '', path = ''] =
    /^(?:(dns|unix|unix-abstract):\/\/([^/]*))?(.*)$/s.exec(endpoint) ?? [];
  if (scheme === 'unix-abstract') return { kind: 'unix', path: `@${path.replace(/^\//, '')}` };
  if (scheme === 'unix') return { kind: 'unix', path };
  const address = path.replace(/^\//, '') || authority;
  const [, v6, name = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(address) ?? [];
  return { kind: 'tcp', host: (v6 ?? name) || 'localhost', port: Number(port ?? defaultPort) };
}
