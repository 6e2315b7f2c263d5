import { join } from 'node:path';
import type { StoreMark } from '#servers/store/mvcc/marks.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { Administrator } from './administrator.ts';
import { applyObjects } from './apply/apply-objects.ts';
import { readManifests } from './apply/read-manifests.ts';
import type { HostedAddress, HostMethods, GivenManifests } from './client/messages.ts';
import type { ClientRequest, User } from './client/public-types.ts';
import { ClusterSupply } from './cluster-supply.ts';
import type { HostedCluster } from './hosted-cluster.ts';
import { keptPrefixes } from './kept-prefixes.ts';
import { newNamespace } from './new-namespace.ts';
import type { OwnOutput } from './own-output.ts';
import type { Repeatable } from './repeatable.ts';
import { tellLast } from './tell-last.ts';
import { writeUserKubeconfig } from './user-kubeconfig.ts';

interface Entry {
  readonly cluster: HostedCluster;
  readonly administrator: Administrator;
  readonly marks: Map<number, HostMark>;
  users: number;
}

interface HostMark {
  readonly store: StoreMark;
  /** How many requests clients had sent when it was set, or last rolled back to. */
  requests: number;
}

/** Answers the calls about the clusters of one process. */
export class Host implements Omit<HostMethods, 'listen'> {
  readonly #supply: ClusterSupply;
  readonly #repeatable: Repeatable | undefined;
  readonly #output: OwnOutput;
  readonly #clusters = new Map<number, Entry>();
  #started = 0;
  #marked = 0;

  /**
   * @param folder where the data of the clusters are
   * @param output of this process, for errors of clusters that do not start
   */
  constructor(folder: string, output: OwnOutput, repeatable?: Repeatable) {
    this.#output = output;
    this.#repeatable = repeatable;
    this.#supply = new ClusterSupply(folder, { keepsSpares: repeatable === undefined });
  }

  async start(flags: readonly string[], isSeparate = false): Promise<HostedAddress> {
    if (isSeparate) return this.#add(await this.#supply.separate(flags));
    const cluster = await this.#tellingOutput(() => this.#supply.take(this.#repeatable?.flagsOf(flags) ?? flags));
    await this.#repeatable?.begin(cluster);
    return this.#add(cluster);
  }

  async fork(id: number): Promise<HostedAddress> {
    const { cluster } = this.#entry(id);
    refuseSeparate(cluster, 'forks');
    refuseForeignStorage(cluster, 'forked');
    return this.#add(await this.#tellingOutput(() => this.#supply.copyOf(cluster)));
  }

  async apply(id: number, manifests: GivenManifests): Promise<readonly object[]> {
    const { administrator } = this.#entry(id);
    return applyObjects(administrator.client, await readManifests(manifests));
  }

  async namespace(id: number, testName: string): Promise<string> {
    const { administrator, cluster } = this.#entry(id);
    return newNamespace(administrator.client, cluster.options, testName);
  }

  requests(id: number, mark?: number): readonly ClientRequest[] {
    const { cluster, marks } = this.#entry(id);
    if (cluster.requests === undefined) refuseSeparate(cluster, 'record of requests');
    return cluster.requests?.after(mark === undefined ? undefined : markOf(marks, mark).requests) ?? [];
  }

  async tellLast(id: number): Promise<string> {
    const { cluster, administrator } = this.#entry(id);
    return tellLast(administrator.client, cluster.requests?.after(undefined));
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
    refuseSeparate(cluster, 'marks');
    refuseForeignStorage(cluster, 'rolled back');
    // What controllers make at the beginning is part of every state.
    await cluster.controllers.settled();
    const mark = ++this.#marked;
    const store = cluster.store.mark(keptPrefixes(cluster.options));
    marks.set(mark, { store, requests: cluster.requests?.count ?? 0 });
    return mark;
  }

  release(id: number, mark: number): void {
    const { cluster, marks } = this.#entry(id);
    const released = marks.get(mark);
    if (released === undefined) return;
    marks.delete(mark);
    cluster.store.release(released.store);
  }

  async rollback(id: number, mark: number): Promise<number> {
    const { cluster, marks } = this.#entry(id);
    refuseForeignStorage(cluster, 'rolled back');
    const wanted = markOf(marks, mark);
    const changed = await cluster.undisturbed(async () => {
      const count = await cluster.store.rollBack(wanted.store);
      if (count > 0) await cluster.followed();
      return count;
    });
    wanted.requests = cluster.requests?.count ?? 0;
    return changed;
  }

  async close(id: number): Promise<void> {
    const { cluster, administrator } = this.#entry(id);
    this.#clusters.delete(id);
    administrator.close();
    await this.#supply.remove(cluster);
  }

  /** Adds to an error what this process has written since; other clusters may have a part in it. */
  async #tellingOutput<T>(start: () => Promise<T>): Promise<T> {
    const { position } = this.#output;
    try {
      return await start();
    } catch (error) {
      const said = this.#output.after(position);
      if (said === '' || !(error instanceof Error)) throw error;
      throw new Error(`${error.message}\nits servers said before:\n${said}`, { cause: error });
    }
  }

  #add(cluster: HostedCluster): HostedAddress {
    const id = ++this.#started;
    this.#clusters.set(id, { cluster, administrator: new Administrator(cluster), marks: new Map(), users: 0 });
    return { cluster: id, url: cluster.url, kubeconfig: cluster.kubeconfig };
  }

  #entry(id: number): Entry {
    const entry = this.#clusters.get(id);
    if (entry === undefined) throw new Error('the cluster is closed: start another one with startCluster()');
    return entry;
  }
}

function markOf(marks: ReadonlyMap<number, HostMark>, mark: number): HostMark {
  const known = marks.get(mark);
  if (known === undefined)
    throw new Error('the mark was released, or is one of another cluster: set one with mark() of this cluster');
  return known;
}

/** @throws Error for a cluster of separate processes, whose gateway and store the host does not have */
function refuseSeparate({ requests }: HostedCluster, what: string): void {
  if (requests === undefined)
    throw new Error(`a cluster of separate processes has no ${what}: leave out \`processes: 'separate'\``);
}

/** @throws Error for a cluster whose objects are not in the host's store */
function refuseForeignStorage(
  { options: { etcdServers, etcdServersOverrides } }: HostedCluster,
  what: 'forked' | 'rolled back',
): void {
  const flag =
    etcdServers.length > 0 ? '--etcd-servers' : etcdServersOverrides.length > 0 ? '--etcd-servers-overrides' : '';
  if (flag !== '')
    throw new Error(`an etcd cannot be ${what}: start the cluster without ${flag}, on the store of the host`);
}
