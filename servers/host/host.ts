import { join } from 'node:path';
import type { StoreMark } from '#servers/store/mvcc/marks.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import type { HostedAddress, HostMethods } from './client/messages.ts';
import type { User } from './client/public-types.ts';
import { ClusterSupply } from './cluster-supply.ts';
import type { HostedCluster } from './hosted-cluster.ts';
import { keptPrefixes } from './kept-prefixes.ts';
import { writeUserKubeconfig } from './user-kubeconfig.ts';

interface Entry {
  readonly cluster: HostedCluster;
  readonly marks: Map<number, StoreMark>;
  users: number;
}

/** Answers the calls about the clusters of one process. */
export class Host implements Omit<HostMethods, 'listen'> {
  readonly #supply: ClusterSupply;
  readonly #clusters = new Map<number, Entry>();
  #started = 0;
  #marked = 0;

  /** @param folder where the data of the clusters are */
  constructor(folder: string) {
    this.#supply = new ClusterSupply(folder);
  }

  async start(flags: readonly string[]): Promise<HostedAddress> {
    return this.#add(await this.#supply.take(flags));
  }

  async fork(id: number): Promise<HostedAddress> {
    return this.#add(await this.#supply.copyOf(this.#entry(id).cluster));
  }

  kubeconfigFor(id: number, user: User): string {
    const entry = this.#entry(id);
    const { cluster } = entry;
    const path = join(cluster.dataDir, `kubeconfig-${++entry.users}`);
    writeUserKubeconfig(path, cluster.url, pkiPaths(join(cluster.dataDir, 'pki')), user);
    return path;
  }

  async mark(id: number): Promise<number> {
    const { cluster, marks } = this.#entry(id);
    refuseForeignStorage(cluster);
    // What controllers make at the beginning is part of every state.
    await cluster.controllers.settled();
    const mark = ++this.#marked;
    marks.set(mark, cluster.store.mark(keptPrefixes(cluster.options)));
    return mark;
  }

  release(id: number, mark: number): void {
    const { cluster, marks } = this.#entry(id);
    const released = marks.get(mark);
    if (released === undefined) return;
    marks.delete(mark);
    cluster.store.release(released);
  }

  async rollback(id: number, mark: number): Promise<number> {
    const { cluster, marks } = this.#entry(id);
    refuseForeignStorage(cluster);
    const wanted = marks.get(mark);
    if (wanted === undefined)
      throw new Error('the mark was released, or is one of another cluster: set one with mark() of this cluster');
    const changed = await cluster.controllers.undisturbed(() => cluster.store.rollBack(wanted));
    if (changed > 0) await cluster.followed();
    return changed;
  }

  async close(id: number): Promise<void> {
    const { cluster } = this.#entry(id);
    this.#clusters.delete(id);
    await this.#supply.remove(cluster);
  }

  #add(cluster: HostedCluster): HostedAddress {
    const id = ++this.#started;
    this.#clusters.set(id, { cluster, marks: new Map(), users: 0 });
    return { cluster: id, url: cluster.url, kubeconfig: cluster.kubeconfig };
  }

  #entry(id: number): Entry {
    const entry = this.#clusters.get(id);
    if (entry === undefined) throw new Error('the cluster is closed: start another one with startCluster()');
    return entry;
  }
}

/** @throws Error for a cluster whose objects are not in the host's store */
function refuseForeignStorage({ options: { etcdServers, etcdServersOverrides } }: HostedCluster): void {
  const flag =
    etcdServers.length > 0 ? '--etcd-servers' : etcdServersOverrides.length > 0 ? '--etcd-servers-overrides' : '';
  if (flag !== '')
    throw new Error(`an etcd cannot be rolled back: start the cluster without ${flag}, on the store of the host`);
}
