import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareKeys } from '#servers/launcher/prepare.ts';
import type { StoreMark } from '#servers/store/mvcc/marks.ts';
import { pkiPaths, withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import type { HostedAddress, HostMethods } from './client/messages.ts';
import type { User } from './client/public-types.ts';
import { startHostedCluster, type HostedCluster } from './hosted-cluster.ts';
import { keptPrefixes } from './kept-prefixes.ts';
import { writeUserKubeconfig } from './user-kubeconfig.ts';

interface Entry {
  readonly cluster: HostedCluster;
  readonly marks: Map<number, StoreMark>;
  users: number;
}

/** The clusters of one process. They share authorities and service-account keys: tokens of one are valid in all. */
export class Host implements HostMethods {
  readonly #folder: string;
  readonly #clusters = new Map<number, Entry>();
  #started = 0;
  #marked = 0;
  #keys: Promise<string> | undefined;

  /** @param folder where the data of the clusters are */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async start(flags: readonly string[]): Promise<HostedAddress> {
    const id = ++this.#started;
    const dataDir = join(this.#folder, String(id));
    mkdirSync(dataDir, { mode: 0o700 });
    const pki = await (this.#keys ??= makeKeys(this.#folder));
    try {
      const cluster = await startHostedCluster({ dataDir, flags, pki, flushes: false });
      this.#clusters.set(id, { cluster, marks: new Map(), users: 0 });
      return { cluster: id, url: cluster.url, kubeconfig: cluster.kubeconfig };
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  kubeconfigFor(id: number, user: User): string {
    const entry = this.#entry(id);
    const { cluster } = entry;
    const path = join(cluster.dataDir, `kubeconfig-${++entry.users}`);
    writeUserKubeconfig(path, cluster.url, pkiPaths(join(cluster.dataDir, 'pki')), user);
    return path;
  }

  mark(id: number): number {
    const { cluster, marks } = this.#entry(id);
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
    const wanted = marks.get(mark);
    if (wanted === undefined)
      throw new Error('the mark was released, or is one of another cluster: set one with mark() of this cluster');
    return cluster.store.rollBack(wanted);
  }

  async close(id: number): Promise<void> {
    const { cluster } = this.#entry(id);
    this.#clusters.delete(id);
    await cluster.close();
    rmSync(cluster.dataDir, { recursive: true, force: true });
  }

  #entry(id: number): Entry {
    const entry = this.#clusters.get(id);
    if (entry === undefined) throw new Error('the cluster is closed: start another one with startCluster()');
    return entry;
  }
}

/** Makes the keys that all clusters get; resolves with their folder. */
async function makeKeys(folder: string): Promise<string> {
  const { options, given } = parseServerOptions(['--data-dir', folder]);
  await prepareKeys(withDataDirectoryDefaults(options, given), given);
  return join(folder, 'pki');
}
