import { formatGroupResource, type GroupResource } from '#shared/apimachinery/gvk.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { DecryptionKeys } from './configuration/decryption-keys.ts';
import type { EncryptionConfiguration } from './configuration/encryption-configuration.ts';
import { parseGroupResource, rulesFor } from './configuration/group-resource.ts';
import type { ValueTransformer } from './contract/value-transformer.ts';
import { identityTransformer } from './providers/local-transformers.ts';
import { openProvider, type OpenedKms, type OpenedProvider, type OpenKms } from './providers/opened-providers.ts';
import { PrefixDispatch } from './providers/prefix-dispatch.ts';
import type { TransformationMetrics } from './providers/transformation-metrics.ts';

/** The opened providers of one configuration, and the transformers of resources that they make. */
export class ResourceTransformers {
  /** The KMS providers in the order of the file. */
  readonly kms: readonly OpenedKms[];
  readonly keys: DecryptionKeys;
  readonly #metrics: TransformationMetrics;
  /** By rule, as in `deployments.apps` or `*.apps`. */
  readonly #rules = new Map<string, OpenedProvider[]>();
  readonly #byResource = new Map<string, ValueTransformer>();

  /** @throws ConfigurationError for a KMS that cannot be opened */
  constructor(configuration: EncryptionConfiguration, metrics: TransformationMetrics, openKms: OpenKms) {
    this.keys = new DecryptionKeys(configuration);
    this.#metrics = metrics;
    const kms: OpenedKms[] = [];
    this.kms = kms;
    try {
      for (const entry of configuration.resources) {
        const opened: OpenedProvider[] = [];
        for (const provider of entry.providers) {
          const one = openProvider(provider, openKms);
          if (one.kms !== undefined) kms.push(one.kms);
          opened.push(one);
        }
        for (const text of entry.resources) {
          const rule = formatGroupResource(parseGroupResource(text));
          this.#rules.set(rule, [...(this.#rules.get(rule) ?? []), ...opened]);
        }
      }
    } catch (error) {
      this.close();
      throw new ConfigurationError(`error while building transformers: ${(error as Error).message}`);
    }
  }

  of(resource: GroupResource): ValueTransformer {
    const name = formatGroupResource(resource);
    let transformer = this.#byResource.get(name);
    if (transformer === undefined) {
      transformer = this.#make(resource, name);
      this.#byResource.set(name, transformer);
    }
    return transformer;
  }

  close(): void {
    for (const { provider } of this.kms) provider.close?.();
  }

  #make(resource: GroupResource, name: string): ValueTransformer {
    const found = rulesFor(resource).map((rule) => this.#rules.get(rule));
    const providers = found.find((one) => one !== undefined);
    if (providers === undefined) return identityTransformer;
    const record = this.#metrics.recorder(name);
    const choices = providers.map((provider) => provider.forResource(record));
    return new PrefixDispatch(choices, 'no matching prefix found', record);
  }
}
