import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster, type Cluster, type ClusterOptions } from './cluster.ts';
import { startEtcdCluster, type EtcdCluster } from './etcd-cluster.ts';
import { referenceProgram } from './reference.ts';

/** Ways to run the whole system. */
export const setUps = ['embedded', 'etcd', 'replicated'] as const;
/** `replicated`: three members of etcd with two of each server. */
export type SetUp = (typeof setUps)[number];

const two = ['--core-replicas', '2', '--extensions-replicas', '2', '--gateway-replicas', '2'];

/** A cluster in one of the ways; the etcd is there where it is a real one. `folder` holds what must not be kept. */
export async function startSetUp(
  setUp: SetUp,
  folder: string,
  options: ClusterOptions = {},
): Promise<{ readonly cluster: Cluster; readonly etcd?: EtcdCluster; close(): Promise<void> }> {
  if (setUp === 'embedded') {
    const cluster = await startCluster(options);
    return { cluster, close: () => cluster.close() };
  }
  const program = referenceProgram('etcd');
  if (program === undefined) throw new Error('there is no etcd: REFERENCE_BIN names its folder');
  const data = join(folder, 'etcd');
  const etcd = await startEtcdCluster(program, data, { members: setUp === 'replicated' ? 3 : 1 });
  const flags = ['--etcd-servers', etcd.endpoints, ...(setUp === 'replicated' ? two : []), ...(options.flags ?? [])];
  try {
    const cluster = await startCluster({ ...options, flags });
    return {
      cluster,
      etcd,
      async close() {
        await cluster.close();
        await etcd.close();
        rmSync(data, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await etcd.close();
    throw error;
  }
}
