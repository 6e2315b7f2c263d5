import { connect } from 'node:net';
import { printProcessLine } from '#shared/observability/process-lines.ts';
import { namedServers } from '#shared/server/options/etcd-addresses.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { canonicalEndpoint } from '#shared/storage/create/etcd-endpoint.ts';

/** A start with an etcd takes less. */
const tellAfterMs = 1_500;
const answersWithinMs = 500;

/** Tells after a while which etcd a start waits for, if none of them answers. @returns a function that stops it */
export function tellMissingEtcd(
  { etcdServers, egressSelectorConfigFile }: Pick<ServerOptions, 'etcdServers' | 'egressSelectorConfigFile'>,
  { afterMs = tellAfterMs, tell = printProcessLine }: { afterMs?: number; tell?: (line: string) => void } = {},
): () => void {
  const endpoints = namedServers(etcdServers);
  // A proxy may lead to an etcd that cannot be reached from here.
  if (endpoints.length === 0 || egressSelectorConfigFile !== '') return () => undefined;
  let isOver = false;
  const timer = setTimeout(() => {
    void Promise.all(endpoints.map(faultOf)).then((faults) => {
      if (isOver || faults.includes(undefined)) return;
      tell(
        `waiting for etcd at ${endpoints.join(', ')}, which does not answer (${[...new Set(faults)].join(', ')}): start it, or name another with --etcd-servers`,
      );
    });
  }, afterMs).unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Why no connection can be made; undefined if one can. */
function faultOf(endpoint: string): Promise<string | undefined> {
  const canonical = canonicalEndpoint(endpoint, false) ?? '';
  const { hostname, port } = new URL(canonical);
  const target = canonical.startsWith('unix:')
    ? { path: canonical.slice('unix:'.length) }
    : { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (canonical.startsWith('https:') ? 443 : 80)) };
  return new Promise((resolve) => {
    const socket = connect(target);
    const settle = (fault?: string): void => {
      socket.destroy();
      resolve(fault);
    };
    socket.on('connect', () => settle());
    socket.on('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
    socket.setTimeout(answersWithinMs, () => settle('no answer'));
  });
}
