import { dirname, join } from 'node:path';
import { findHost } from '#servers/host/client/find-host.ts';
import type { ClusterAddress } from './api-client.ts';
import { startCluster, type ClusterOptions } from './cluster.ts';

/** A cluster API for tests that do not look at its processes. */
export interface AnyCluster extends ClusterAddress {
  /** Of an administrator in system:masters. */
  readonly kubeconfig: string;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

/**
 * Starts a cluster in the host of this process, which takes a third of the processor time of separate processes. With
 * QUARTERDECK_PROCESSES=separate it is one of `startCluster`, as users run it.
 */
export async function startAnyCluster({ flags = [] }: Pick<ClusterOptions, 'flags'> = {}): Promise<AnyCluster> {
  if (process.env['QUARTERDECK_PROCESSES'] === 'separate') return startCluster({ flags });
  const host = await findHost();
  const { cluster, url, kubeconfig } = await host.call('start', flags);
  return { url, kubeconfig, pki: join(dirname(kubeconfig), 'pki'), close: async () => host.call('close', cluster) };
}
