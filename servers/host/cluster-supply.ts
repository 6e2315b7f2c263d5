import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareKeys } from '#servers/launcher/prepare.ts';
import type { StoreImage } from '#servers/store/mvcc/store-image.ts';
import { withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { withFreshUids } from './fresh-uids.ts';
import { startHostedCluster, type HostedCluster } from './hosted-cluster.ts';
import { keptPrefixes } from './kept-prefixes.ts';

/** What is known of the clusters with one list of flags. */
interface Kind {
  readonly flags: readonly string[];
  started: number;
  /** The objects that the servers made at the first start, so that further ones need not make them. */
  image: StoreImage | undefined;
}

interface Spare {
  readonly kind: Kind;
  readonly cluster: Promise<HostedCluster>;
}

/**
 * Starts clusters below one folder. Those of the same flags begin with the objects that the first one began with, and
 * from the second on another one is kept ready. They share authorities and service-account keys, so tokens of one are
 * valid in all.
 */
export class ClusterSupply {
  readonly #folder: string;
  /** By their flags. */
  readonly #kinds = new Map<string, Kind>();
  #spare: Spare | undefined;
  #folders = 0;
  #keys: Promise<string> | undefined;

  /** @param folder where the data of the clusters are */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A new cluster with the objects that servers make. Rejects with what to change when it cannot start. */
  async take(flags: readonly string[]): Promise<HostedCluster> {
    const kind = this.#kindOf(flags);
    const cluster = await this.#ready(kind);
    if (++kind.started > 1) this.#keepSpare(kind);
    return cluster;
  }

  /** A new cluster with the flags and objects of another one. */
  async copyOf(source: HostedCluster): Promise<HostedCluster> {
    const kind = this.#kindOf(source.flags);
    const cluster = await this.#ready(kind);
    try {
      const kept = keptPrefixes(source.options);
      await Promise.all([source.controllers.settled(), cluster.controllers.settled()]);
      const image = await source.store.image(kept);
      await cluster.controllers.undisturbed(() => cluster.store.adopt(image, kept));
      await cluster.followed();
    } catch (error) {
      await this.remove(cluster);
      throw error;
    }
    kind.started++;
    this.#keepSpare(kind);
    return cluster;
  }

  /** Ends a cluster and removes its data. */
  async remove(cluster: HostedCluster): Promise<void> {
    await cluster.close();
    rmSync(cluster.dataDir, { recursive: true, force: true });
  }

  #kindOf(flags: readonly string[]): Kind {
    const key = JSON.stringify(flags);
    const known = this.#kinds.get(key) ?? { flags: [...flags], started: 0, image: undefined };
    this.#kinds.set(key, known);
    return known;
  }

  async #ready(kind: Kind): Promise<HostedCluster> {
    const spare = this.#spare;
    if (spare?.kind !== kind) return this.#start(kind);
    this.#spare = undefined;
    return spare.cluster;
  }

  /** Makes a spare unless there is one: a single one, for the flags that were asked for last. */
  #keepSpare(kind: Kind): void {
    const earlier = this.#spare;
    if (earlier?.kind === kind || namesFile(kind.flags)) return;
    const cluster = this.#start(kind);
    const spare = { kind, cluster };
    this.#spare = spare;
    cluster.catch(() => {
      // Whoever asks next hears why.
      if (this.#spare === spare) this.#spare = undefined;
    });
    void earlier?.cluster.then((unused) => this.remove(unused)).catch(() => undefined);
  }

  async #start(kind: Kind): Promise<HostedCluster> {
    const dataDir = join(this.#folder, String(++this.#folders));
    mkdirSync(dataDir, { mode: 0o700 });
    try {
      const pki = await (this.#keys ??= makeKeys(this.#folder));
      const image = kind.image && withFreshUids(kind.image);
      const cluster = await startHostedCluster({ dataDir, flags: kind.flags, pki, flushes: false, image });
      if (!namesFile(kind.flags)) kind.image ??= await cluster.store.image(keptPrefixes(cluster.options));
      return cluster;
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }
}

/** Whether flags name a file: what it says may change from one start to the next. */
function namesFile(flags: readonly string[]): boolean {
  return flags.some((flag) => existsSync(flag.slice(flag.indexOf('=') + 1)));
}

/** Makes the keys that all clusters get; resolves with their folder. */
async function makeKeys(folder: string): Promise<string> {
  const { options, given } = parseServerOptions(['--data-dir', folder]);
  await prepareKeys(withDataDirectoryDefaults(options, given), given);
  return join(folder, 'pki');
}
