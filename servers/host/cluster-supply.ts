import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareKeys } from '#servers/launcher/prepare.ts';
import type { SameRows } from '#servers/store/mvcc/store-image.ts';
import type { RunningStore } from '#servers/store/start/start-store.ts';
import { withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { resumedRevisions } from '#shared/storage/storage.ts';
import { startHostedCluster, type HostedCluster } from './hosted-cluster.ts';
import { keptPrefixes, raisedKey } from './kept-prefixes.ts';
import { startSeparateCluster } from './separate-cluster.ts';
import { StartObjects } from './start-objects.ts';

/** What is known of the clusters with one list of flags. */
interface Kind {
  readonly flags: readonly string[];
  started: number;
  /** What the servers made at the first start, so that further ones need not make it. */
  objects: StartObjects | undefined;
}

/** A cluster that is ready for whoever asks next. */
interface Spare {
  readonly kind: Kind;
  /** The cluster whose objects it has, for forks of it; undefined: those that servers make. */
  readonly source: HostedCluster | undefined;
  readonly same: SameRows;
  readonly cluster: Promise<HostedCluster>;
}

/**
 * Starts clusters below one folder. Those of the same flags begin with the objects that the first one began with. From
 * the second on, and from the first fork on, one more is kept ready. They share authorities and service-account keys,
 * so tokens of one are valid in all.
 */
export class ClusterSupply {
  readonly #folder: string;
  readonly #keepsSpares: boolean;
  /** By their flags. */
  readonly #kinds = new Map<string, Kind>();
  #spare: Spare | undefined;
  #folders = 0;
  #keys: Promise<string> | undefined;

  /** @param folder where the data of the clusters are */
  constructor(folder: string, { keepsSpares }: { readonly keepsSpares: boolean }) {
    this.#folder = folder;
    this.#keepsSpares = keepsSpares;
  }

  /** A new cluster with the objects that servers make. Rejects with what to change when it cannot start. */
  async take(flags: readonly string[]): Promise<HostedCluster> {
    const kind = this.#kindOf(flags);
    const spare = this.#takeSpare(kind, undefined);
    const cluster = await (spare?.cluster ?? this.#start(kind));
    if (++kind.started > 1) this.#keepSpare(kind, undefined);
    return cluster;
  }

  /** A new cluster whose servers are processes of their own. */
  async separate(flags: readonly string[]): Promise<HostedCluster> {
    const dataDir = join(this.#folder, String(++this.#folders));
    try {
      return await startSeparateCluster(dataDir, flags);
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** A new cluster with the flags and objects of another one. */
  async copyOf(source: HostedCluster): Promise<HostedCluster> {
    const kind = this.#kindOf(source.flags);
    const spare = this.#takeSpare(kind, source) ?? this.#takeSpare(kind, undefined);
    const same: SameRows = spare?.same ?? new Map();
    const cluster = await (spare?.cluster ?? this.#start(kind, source, same));
    try {
      await Promise.all([source.controllers.settled(), cluster.controllers.settled()]);
      await cluster.undisturbed(async () => {
        await adoptFrom(source, cluster.store, same);
        await cluster.followed();
      });
    } catch (error) {
      await this.remove(cluster);
      throw error;
    }
    kind.started++;
    this.#keepSpare(kind, source);
    return cluster;
  }

  /** Ends a cluster and removes its data. */
  async remove(cluster: HostedCluster): Promise<void> {
    if (this.#spare?.source === cluster) this.#dropSpare();
    await cluster.close();
    rmSync(cluster.dataDir, { recursive: true, force: true });
  }

  #kindOf(flags: readonly string[]): Kind {
    const key = JSON.stringify(flags);
    const known = this.#kinds.get(key) ?? { flags: [...flags], started: 0, objects: undefined };
    this.#kinds.set(key, known);
    return known;
  }

  #takeSpare(kind: Kind, source: HostedCluster | undefined): Spare | undefined {
    const spare = this.#spare;
    if (spare?.kind !== kind || spare.source !== source) return undefined;
    this.#spare = undefined;
    return spare;
  }

  /** Makes a spare unless there is one: a single one, for what was asked for last. */
  #keepSpare(kind: Kind, source: HostedCluster | undefined): void {
    if (!this.#keepsSpares || !isRepeatable(kind.flags)) return;
    if (this.#spare?.kind === kind && this.#spare.source === source) return;
    this.#dropSpare();
    const same: SameRows = new Map();
    const cluster = this.#start(kind, source, same);
    const spare = { kind, source, same, cluster };
    this.#spare = spare;
    cluster.catch(() => {
      // Whoever asks next hears why.
      if (this.#spare === spare) this.#spare = undefined;
    });
  }

  #dropSpare(): void {
    void this.#spare?.cluster.then((unused) => this.remove(unused)).catch(() => undefined);
    this.#spare = undefined;
  }

  /** The folder of the keys of all clusters. After a failure the next start tries again. */
  #makeKeys(): Promise<string> {
    if (this.#keys === undefined) {
      this.#keys = makeKeys(this.#folder);
      this.#keys.catch(() => (this.#keys = undefined));
    }
    return this.#keys;
  }

  /** @param source the cluster whose objects it begins with; default: those that servers make */
  async #start(kind: Kind, source?: HostedCluster, same?: SameRows): Promise<HostedCluster> {
    const dataDir = join(this.#folder, String(++this.#folders));
    mkdirSync(dataDir, { mode: 0o700 });
    try {
      const pki = await this.#makeKeys();
      const fill = async (store: RunningStore): Promise<void> => {
        if (source !== undefined) await adoptFrom(source, store, same);
        else if (kind.objects !== undefined) await store.adopt(kind.objects.withFreshUids(), []);
        else return;
        await store.raiseTo(firstRevision, raisedKey);
      };
      const cluster = await startHostedCluster({ dataDir, flags: kind.flags, pki, flushes: false, fill });
      if (source === undefined && isRepeatable(kind.flags)) kind.objects ??= startObjectsOf(cluster);
      return cluster;
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }
}

/** Gives a store the objects of a cluster, but for what the servers of both wrote of themselves. */
async function adoptFrom(source: HostedCluster, store: Pick<RunningStore, 'adopt'>, same?: SameRows): Promise<void> {
  const kept = keptPrefixes(source.options);
  const image = source.store.image(kept);
  try {
    await store.adopt(image, kept, same);
  } finally {
    image.release();
  }
}

function startObjectsOf({ store, options }: HostedCluster): StartObjects {
  const image = store.image(keptPrefixes(options));
  try {
    return new StartObjects(image);
  } finally {
    image.release();
  }
}

/**
 * Servers offer watches from so many revisions ago, and each of their caches would read what the store was filled with
 * as changes, if it was not further back.
 */
const firstRevision = 3 + resumedRevisions;

/**
 * Whether each start with these flags gives the same cluster. What a file says may change, and an etcd has what an
 * earlier cluster has left.
 */
function isRepeatable(flags: readonly string[]): boolean {
  return !flags.some((flag) => flag.startsWith('--etcd-servers') || existsSync(flag.slice(flag.indexOf('=') + 1)));
}

/** Makes the keys that all clusters get; resolves with their folder. */
async function makeKeys(folder: string): Promise<string> {
  const { options, given } = parseServerOptions(['--data-dir', folder]);
  await prepareKeys(withDataDirectoryDefaults(options, given), given);
  return join(folder, 'pki');
}
