import { dirname, join } from 'node:path';
import { DialingRelay } from '#shared/egress/clients/dialing-relay.ts';
import { directEgress, openEgressSelector, type EgressSelector } from '#shared/egress/egress-selector.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { ProcessOptions } from './data-directory.ts';

/** How the connections of a process are made, by `--egress-selector-config-file`. */
export interface Egress {
  readonly selector: EgressSelector;
  /** The Unix socket through which an etcd is reached; undefined where etcd is reached directly. */
  readonly socketTo: ((hostPort: string) => Promise<string>) | undefined;
  close(): void;
}

/** @throws ConfigurationError for a file that cannot be used */
export function openEgress({ server, sockets }: ProcessOptions, logger: Logger): Egress {
  const file = server.egressSelectorConfigFile;
  if (file === '') return { selector: directEgress, socketTo: undefined, close: () => undefined };
  const selector = openEgressSelector(file, (error) =>
    logger.error('the certificates for an egress proxy stay as they were', error),
  );
  const dial = selector.dialer('etcd');
  // In the folder of the sockets, which only this user can open. Several processes share it.
  const folder = dirname(sockets.gateway);
  const relay = dial && new DialingRelay(dial, (index) => join(folder, `etcd-${process.pid}-${index}.sock`));
  return { selector, socketTo: relay && ((hostPort) => relay.pathTo(hostPort)), close: () => relay?.close() };
}
