import { join } from 'node:path';
import type { RuleCompilers } from '#shared/admission/registration/rule-compilers.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { watchFiles } from '#shared/files/watch-files.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { loadManifestReader } from './load-manifest-reader.ts';
import type { Manifests } from './load-manifests.ts';
import { readManifestFiles } from './manifest-files.ts';
import type { ManifestPlugin } from './manifest-kinds.ts';
import { ManifestReloads } from './manifest-reloads.ts';

/** The folders of manifests of one server process. */
export interface ManifestOptions {
  readonly folders: Readonly<Partial<Record<ManifestPlugin, string>>>;
  /** What expressions may use, as for new objects of the API. */
  readonly compilers: () => Promise<RuleCompilers>;
  /** The identity of the server, in metrics. */
  readonly serverId: string;
  readonly report: (message: string) => void;
  readonly reportError: (message: string, error: unknown) => void;
}

export interface ManifestSourceOptions<Rules> extends Omit<ManifestOptions, 'folders'> {
  readonly plugin: ManifestPlugin;
  readonly folder: string;
  /** Makes rules of the objects in the folder. */
  readonly compile: (manifests: Manifests) => Promise<Rules>;
}

/**
 * The rules in a folder of manifests, which are read again when a file changes. A folder that cannot be read or holds
 * something wrong leaves the rules as they were (apiserver/pkg/admission/plugin/{policy,webhook}/manifest/source).
 */
export class ManifestSource<Rules> {
  readonly #options: ManifestSourceOptions<Rules>;
  readonly #rounds: Reconciler;
  #rules: Rules;
  /** Undefined before the first reading. */
  #hash: string | undefined;
  readonly #reloads: ManifestReloads;
  #changed: () => void = () => undefined;
  #endWatch: () => void = () => undefined;

  /** @param rules those before {@link load} */
  constructor(options: ManifestSourceOptions<Rules>, rules: Rules) {
    this.#options = options;
    this.#rules = rules;
    this.#reloads = new ManifestReloads(options.plugin, options.serverId);
    this.#rounds = new Reconciler({
      round: () => this.#reload(),
      onError: (error) => {
        this.#reloads.failed();
        options.reportError(`manifests of ${options.plugin} in ${options.folder} stay as they were`, error);
      },
    });
  }

  get rules(): Rules {
    return this.#rules;
  }

  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  /**
   * Reads the folder, and follows it from then on.
   * @throws ConfigurationError
   */
  async load(): Promise<void> {
    const { plugin, folder } = this.#options;
    try {
      await this.#reload();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const what = plugin.endsWith('Webhook') ? 'webhook' : 'policy';
      throw new ConfigurationError(
        `failed to apply admission: failed to initialize admission plugin ${goQuote(plugin)}: failed to load static ${what} manifests from ${goQuote(folder)}: ${error.message}`,
      );
    }
    // The folder itself may be replaced, too.
    this.#endWatch = watchFiles([folder, join(folder, '*')], () => this.#rounds.request());
    // A file may have changed between the first reading and the watch.
    this.#rounds.request();
  }

  close(): void {
    this.#endWatch();
    this.#reloads.close();
    void this.#rounds.close();
  }

  async #reload(): Promise<void> {
    const { plugin, folder, compilers, compile, report } = this.#options;
    const { documents, hash } = await readManifestFiles(folder);
    if (hash === this.#hash) return;
    const { loadManifests } = await loadManifestReader();
    this.#rules = await compile(await inSlices(loadManifests(plugin, documents, await compilers())));
    this.#hash = hash;
    this.#reloads.succeeded(hash);
    report(`loaded the manifests of ${plugin} in ${folder}`);
    this.#changed();
  }
}
